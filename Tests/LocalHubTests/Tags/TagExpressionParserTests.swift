import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct TagExpressionParserTests {
    private static let long = String(repeating: "a", count: 120)

    @Test("NOT binds tighter than AND, and AND tighter than OR")
    func notBindsTighterThanANDAndANDTighterThanOR() throws {
        let expression = try TagExpressionParser.parse("a||!b&&c")
        #expect(
            expression
                == .any([.term(.tag("a")), .all([.not(.term(.tag("b"))), .term(.tag("c"))])]))
    }

    @Test(
        "Valid tag expressions are read",
        arguments: [
            ("a", .term(.tag("a"))),
            (" \ta ", .term(.tag("a"))),
            ("username:al.ice_1@x#-", .term(.tag("username:al.ice_1@x#-"))),
            ("$InstallationId:{a=b}", .term(.installation("a=b"))),
            ("$UserId:{alice}", .term(.user("alice"))),
            ("a || b", .any([.term(.tag("a")), .term(.tag("b"))])),
            ("(a)", .term(.tag("a"))),
            (
                "( a || b ) && c",
                .all([.any([.term(.tag("a")), .term(.tag("b"))]), .term(.tag("c"))])
            ),
            ("!!a", .not(.not(.term(.tag("a"))))),
            ("! (a && $UserId:{b})", .not(.all([.term(.tag("a")), .term(.user("b"))]))),
        ] as [(String, TagExpression)])
    func validTagExpressionsAreRead(text: String, expected: TagExpression) throws {
        #expect(try TagExpressionParser.parse(text) == expected)
    }

    @Test(
        "An invalid tag expression is refused with its position",
        arguments: [
            ("", .empty), ("  \t", .empty), ("a b", .unexpected(at: 2)),
            ("a,b", .unexpected(at: 1)),
            ("a|b", .unexpected(at: 2)), ("a&b", .unexpected(at: 2)), ("a|", .unfinished),
            ("a&", .unfinished), ("a||", .unfinished), ("||a", .unexpected(at: 0)),
            ("a|||b", .unexpected(at: 3)), ("!", .unfinished), ("()", .unexpected(at: 1)),
            ("(a", .unfinished), ("a)", .unexpected(at: 1)), ("(a b)", .unexpected(at: 3)),
            ("$", .unexpected(at: 0)), ("$Other:{a}", .unexpected(at: 0)),
            ("$UserId:{}", .unexpected(at: 9)), ("$UserId:{a", .unfinished),
            ("$UserId:{a b}", .unexpected(at: 10)), ("a=b", .unexpected(at: 1)),
            ("grün", .unexpected(at: 2)), ("a\u{0}", .unexpected(at: 1)),
            (long + "a", .tagTooLong(length: 121)),
        ] as [(String, TagExpressionError)])
    func invalidTagExpressionIsRefusedWithItsPosition(text: String, expected: TagExpressionError) {
        #expect(throws: expected) { try TagExpressionParser.parse(text) }
    }

    @Test("A tag can have 120 characters") func tagCanHave120Characters() throws {
        #expect(try TagExpressionParser.parse(Self.long) == .term(.tag(Self.long)))
    }

    private func joined(_ count: Int, by separator: String) -> String {
        (1...count).map { "t\($0)" }.joined(separator: separator)
    }

    @Test("Twenty tags can be joined with OR") func twentyTagsCanBeJoinedWithOR() throws {
        guard case .any(let operands) = try TagExpressionParser.parse(joined(20, by: "||")) else {
            Issue.record("twenty alternatives are not read as alternatives")
            return
        }
        #expect(operands.count == 20)
        #expect(throws: TagExpressionError.tooManyTags(limit: 20)) {
            try TagExpressionParser.parse(joined(21, by: "||"))
        }
    }

    @Test("Six tags are allowed with any other operator")
    func sixTagsAreAllowedWithAnyOtherOperator() throws {
        #expect(throws: Never.self) { try TagExpressionParser.parse(joined(6, by: "&&")) }
        for text in [
            joined(7, by: "&&"), joined(6, by: "||") + "&&t7", "!" + joined(7, by: "||"),
            joined(7, by: "||") + "||!t8", "(" + joined(7, by: "||") + ")&&t8",
        ] {
            #expect(throws: TagExpressionError.tooManyTags(limit: 6)) {
                try TagExpressionParser.parse(text)
            }
        }
    }

    @Test("Deep nesting is refused without overflowing the stack", arguments: ["(", "!", "(!"])
    func deepNestingIsRefusedWithoutOverflowingTheStack(opening: String) {
        let text = String(repeating: opening, count: 100_000) + "a"
        #expect(throws: TagExpressionError.nestedTooDeeply) { try TagExpressionParser.parse(text) }
    }

    @Test("Every tag expression error is a sentence") func everyTagExpressionErrorIsASentence() {
        for fault: TagExpressionError in [
            .empty, .unexpected(at: 0), .unfinished, .tagTooLong(length: 121),
            .tooManyTags(limit: 6), .nestedTooDeeply,
        ] {
            #expect(fault.description.hasSuffix("."))
        }
    }
}
