import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct TagExpressionSyntaxTests {
    private func tag(_ text: String) throws -> TagExpression { .tag(try Tag(text)) }

    @Test(
        "A tag expression is read and written with parentheses",
        arguments: [
            ("a", "a"), (" a ", "a"), ("a||b", "a||b"), ("a || b||c", "a||b||c"),
            ("a&&b", "a&&b"), ("!a", "!a"), ("!!a", "a"), ("! ! ! a", "!a"),
            ("a||b&&c", "a||(b&&c)"), ("a&&b||c", "(a&&b)||c"), ("(a||b)&&c", "(a||b)&&c"),
            ("!a&&b", "(!a)&&b"), ("!(a||b)", "!(a||b)"), ("((a))", "a"),
            ("a||(b||(c||d))", "a||b||c||d"), ("\t(a && (b && c))", "a&&b&&c"),
            ("$UserId:{a=b}||x:y", "$UserId:{a=b}||x:y"),
            ("!$InstallationId:{1-2}&&a", "(!$InstallationId:{1-2})&&a"),
        ])
    func tagExpressionIsReadAndWrittenWithParentheses(text: String, printed: String) throws {
        let read = try TagExpression(parsing: text)

        #expect(read.description == printed)
        #expect(try TagExpression(parsing: printed) == read)
    }

    @Test(
        "An error in a tag expression gives its position",
        arguments: [
            ("", TagExpressionError.Fault.expectedTag, 0), ("  ", .expectedTag, 2),
            ("a||", .expectedTag, 3), ("||a", .expectedTag, 0), ("a b", .expectedOperator, 2),
            ("a|b", .expectedOperator, 1), ("a&b", .expectedOperator, 1),
            ("a)", .expectedOperator, 1), ("a||(b", .unclosedParenthesis, 3),
            ("(a b)", .expectedOperator, 3), ("()", .expectedTag, 1), ("a!b", .expectedOperator, 1),
            ("ab,c", .tag(.forbiddenCharacter), 2), ("ä", .tag(.forbiddenCharacter), 0),
            ("a||$User:{x}", .tag(.forbiddenCharacter), 3),
            ("a\r\nb", .tag(.forbiddenCharacter), 1),
            ("$UserId:{x", .unclosedBrace, 0), ("a||$UserId:{}", .tag(.emptyTag), 3),
            ("$UserId:{a b}", .tag(.forbiddenCharacter), 0),
            (String(repeating: "t", count: 121), .tag(.tagTooLong), 0),
            (String(repeating: "(", count: 33) + "a", .tooDeep, 32),
            (String(repeating: "!", count: 8_000) + "a", .tooDeep, 32),
            (String(repeating: "a", count: 8_193), .tooLong, 0),
            (Array(repeating: "a", count: 21).joined(separator: "||"), .tag(.tooManyTags), 0),
            (Array(repeating: "a", count: 7).joined(separator: "&&"), .tag(.tooManyMixedTags), 0),
        ])
    func errorInATagExpressionGivesItsPosition(
        text: String, fault: TagExpressionError.Fault, offset: Int
    ) {
        #expect(throws: TagExpressionError(fault: fault, offset: offset)) {
            try TagExpression(parsing: text)
        }
    }

    @Test("A built expression equals the parsed expression")
    func builtExpressionEqualsTheParsedExpression() throws {
        let built = try TagExpression.allOf([
            .anyOf([tag("a"), tag("b")]), .not(.tag(.userID("c@d"))),
        ])

        #expect(built.description == "(a||b)&&(!$UserId:{c@d})")
        #expect(try TagExpression(parsing: "(a || b) && !$UserId:{c@d}") == built)
        #expect(built.tags.map(\.rawValue) == ["a", "b", "$UserId:{c@d}"])
    }

    @Test("The limits also apply to built expressions")
    func limitsAlsoApplyToBuiltExpressions() throws {
        let tags = try (0..<20).map { try Tag("t\($0)") }
        let twenty = try TagExpression(anyOf: tags)
        let six = try TagExpression(anyOf: Array(tags.prefix(6)))

        #expect(try TagExpression.not(six).tags.count == 6)
        #expect(throws: TagError.tooManyTags) { try TagExpression.anyOf([twenty, tag("x")]) }
        #expect(throws: TagError.tooManyMixedTags) { try TagExpression.not(twenty) }
        #expect(throws: TagError.tooManyMixedTags) { try TagExpression.allOf([six, tag("x")]) }
        #expect(throws: TagError.tooManyMixedTags) {
            try TagExpression.anyOf([.not(six), tag("x")])
        }
        #expect(throws: TagError.noTags) { try TagExpression.anyOf([]) }
        #expect(throws: TagError.noTags) { try TagExpression.allOf([]) }
    }

    @Test("Values of special tags are checked") func valuesOfSpecialTagsAreChecked() throws {
        #expect(try Tag.userID("a=b").rawValue == "$UserId:{a=b}")
        #expect(try Tag.installationID("1-2").rawValue == "$InstallationId:{1-2}")
        #expect(throws: TagError.emptyTag) { try Tag.userID("") }
        #expect(throws: TagError.forbiddenCharacter) { try Tag.installationID("a}||b") }
        #expect(throws: TagError.tagTooLong) {
            try Tag.userID(String(repeating: "a", count: 121))
        }
    }

    @Test("A parsed expression can be written and parsed again")
    func parsedExpressionCanBeWrittenAndParsedAgain() {
        var random = SplitMix(state: 7)
        let pieces = ["a", "b:c", "||", "&&", "!", "(", ")", " ", "$UserId:{x}", "|", "ä"]
        var read = 0
        // Each piece follows every other piece about 160 times.
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 1...9, using: &random))
                .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
            guard let expression = try? TagExpression(parsing: text) else { continue }
            read += 1
            let again = try? TagExpression(parsing: expression.description)
            #expect(again == expression, "\(text)")
        }
        #expect(read > 200)
    }
}

/// A small seeded generator, so that a failure can be reproduced.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
