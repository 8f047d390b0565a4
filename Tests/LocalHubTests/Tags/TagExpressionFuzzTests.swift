import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct TagExpressionFuzzTests {
    private static let terms: [TagTerm] = [
        .tag("a"), .tag("username:b"), .tag("c.d-e"), .installation("i=1"), .user("u"),
    ]

    private func randomExpression(_ random: inout SeededGenerator, depth: Int) -> TagExpression {
        switch depth == 0 ? 0 : Int.random(in: 0...3, using: &random) {
        case 0:
            return .term(Self.terms[Int.random(in: 0..<Self.terms.count, using: &random)])
        case 1:
            return .not(randomExpression(&random, depth: depth - 1))
        case 2:
            return .all((0..<2).map { _ in randomExpression(&random, depth: depth - 1) })
        default:
            return .any((0..<2).map { _ in randomExpression(&random, depth: depth - 1) })
        }
    }

    private func text(_ expression: TagExpression, _ random: inout SeededGenerator) -> String {
        let space = Bool.random(using: &random) ? " " : ""
        switch expression {
        case .term(let term): return space + term.text + space
        case .not(let operand): return "!\(space)(\(text(operand, &random)))"
        case .all(let operands):
            return operands.map { "(\(text($0, &random)))" }.joined(separator: space + "&&")
        case .any(let operands):
            return operands.map { text($0, &random) }.joined(separator: "||" + space)
        }
    }

    @Test("A tag expression that was written can be read with the same meaning")
    func tagExpressionThatWasWrittenCanBeReadWithTheSameMeaning() throws {
        var random = SeededGenerator(seed: 42)
        var read = 0
        for _ in 0..<1_500 {
            let expression = randomExpression(&random, depth: 3)
            let written = text(expression, &random)
            guard let parsed = try? TagExpressionParser.parse(written) else {
                // An expression may be refused only for the limit of six tags.
                #expect(throws: TagExpressionError.tooManyTags(limit: 6)) {
                    try TagExpressionParser.parse(written)
                }
                continue
            }
            read += 1
            for carried in 0..<32 {
                let carries = { (term: TagTerm) in
                    Self.terms.firstIndex(of: term).map { carried >> $0 & 1 == 1 } ?? false
                }
                #expect(parsed.holds(carries) == expression.holds(carries), "\(written)")
            }
        }
        #expect(read > 750)
    }

    @Test("Random tag expressions are either read or refused without crashing")
    func randomTagExpressionsAreEitherReadOrRefusedWithoutCrashing() {
        var random = SeededGenerator(seed: 7)
        let pieces = [
            "a", "bc", ":", "||", "&&", "|", "&", "!", "(", ")", "$", "{", "}", "=", " ", "\t",
            "$UserId:{", "$InstallationId:{", "ü", "\u{0}", "\u{1F600}", ",",
        ]
        var read = 0
        // Each pair of pieces occurs about a hundred times.
        for _ in 0..<10_000 {
            let count = Int.random(in: 0...12, using: &random)
            let text = (0..<count).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            do {
                _ = try TagExpressionParser.parse(text)
                read += 1
                #expect(text.utf8.allSatisfy { $0 < 0x80 }, "\(text)")
                #expect(text.count { $0 == "(" } == text.count { $0 == ")" }, "\(text)")
                #expect(text.count { $0 == "{" } == text.count { $0 == "}" }, "\(text)")
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
        #expect(read > 20)
    }
}
