import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct TagExpressionTests {
    @Test(
        "A valid tag keeps its text unchanged",
        arguments: [
            "a", "username:alice", "_@#.:-", "AZaz09", String(repeating: "t", count: 120),
        ])
    func validTagKeepsItsTextUnchanged(text: String) throws {
        #expect(try Tag(text).rawValue == text)
    }

    @Test(
        "An invalid tag is refused",
        arguments: [
            ("", TagError.emptyTag), (" ", .forbiddenCharacter), ("a b", .forbiddenCharacter),
            ("a||b", .forbiddenCharacter), ("!a", .forbiddenCharacter),
            ("(a)", .forbiddenCharacter),
            ("a&&b", .forbiddenCharacter), ("ä", .forbiddenCharacter),
            ("a\r\nX: y", .forbiddenCharacter),
            ("a,b", .forbiddenCharacter), (String(repeating: "t", count: 121), .tagTooLong),
        ])
    func invalidTagIsRefused(text: String, error: TagError) {
        #expect(throws: error) { try Tag(text) }
    }

    @Test("Tags are joined only by ||") func tagsAreJoinedOnlyBy() throws {
        let tags = [try Tag("username:a"), try Tag("username:b"), try Tag("username:c")]

        #expect(try TagExpression(anyOf: tags).description == "username:a||username:b||username:c")
        #expect(TagExpression(tags[0]).description == "username:a")
    }

    @Test("An expression has 1 to 20 tags") func expressionHas1To20Tags() throws {
        let tag = try Tag("t")

        #expect(throws: TagError.noTags) { try TagExpression(anyOf: []) }
        #expect(throws: TagError.tooManyTags) {
            try TagExpression(anyOf: Array(repeating: tag, count: 21))
        }
        #expect(try TagExpression(anyOf: Array(repeating: tag, count: 20)).tags.count == 20)
    }
}
