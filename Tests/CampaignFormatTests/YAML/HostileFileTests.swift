import TestSupport
import Testing

@testable import CampaignFormat

/// Tests that files that would take unlimited time, memory or stack are refused immediately.
@Suite(.bounded)
struct HostileFileTests {
    @Test(
        "Endless nesting is refused at the depth limit",
        arguments: ["[", "{", "[\n", "- ", "? ", "a: [", "{a: ", "[{"])
    func endlessNestingIsRefusedAtTheDepthLimit(opening: String) {
        let document = parse(String(repeating: opening, count: 20_000))
        #expect(document.root == nil)
        #expect(!document.errors.isEmpty)
        #expect((document.errors.first?.range.start.offset ?? .max) < 1024)
    }

    @Test("Twenty megabytes of brackets are refused without being read")
    func twentyMegabytesOfBracketsAreRefusedWithoutBeingRead() {
        let document = YAMLParser.parse([UInt8](repeating: UInt8(ascii: "["), count: 20_000_000))
        #expect(document.errors.map(\.rule) == [.tooLarge])
        #expect(document.source.bytes.count < 10_000)
    }

    @Test("The depth limit applies even with a large byte limit")
    func depthLimitAppliesEvenWithALargeByteLimit() {
        let document = YAMLParser.parse(
            [UInt8](repeating: UInt8(ascii: "["), count: 200_000),
            limits: YAMLLimits(bytes: 1 << 30))
        #expect(document.errors.map(\.rule) == [.tooDeep])
        #expect(
            document.errors.first?.range.start == SourcePosition(line: 1, column: 65, offset: 64))
    }

    @Test("A billion laughs attack is refused as soon as it is too large")
    func billionLaughsAttackIsRefusedAsSoonAsItIsTooLarge() throws {
        var text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
        for level in 1...9 {
            let items = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(items)]\n"
        }
        let problem = try #require(parse(text).errors.first)
        #expect(problem.rule == .tooMuchExpansion)
        #expect(problem.range.start.line == 5)
    }

    /// libyaml compares each of these lines with all others before it emits its first event.
    @Test(
        "A very large number of tag directives is refused", arguments: ["", "a\n...\n", "# x\n\n"])
    func veryLargeNumberOfTagDirectivesIsRefused(before: String) {
        let directives = (0..<20_000).map { "%TAG !a\($0)! b\n" }.joined()
        let document = parse(before + directives + "---\na\n")
        #expect(document.errors.count == 1)
        #expect((document.errors.first?.range.start.offset ?? .max) < 10)
    }

    /// A part that is repeated between a beginning and an end.
    struct LongFile: CustomTestStringConvertible, Sendable {
        let beginning: String
        let part: String
        let end: String
        var testDescription: String { "\(beginning)\(part)…\(end)".debugDescription }
        /// There are so many parts that one step for each pair of parts would take seconds.
        var text: String { beginning + String(repeating: part, count: 20_000) + end }

        init(_ beginning: String, _ part: String, _ end: String) {
            self.beginning = beginning
            self.part = part
            self.end = end
        }
    }

    @Test(
        "Long text is read to its end in linear time",
        arguments: [
            LongFile("a: |\n", "\n", ""), LongFile("a: \"", "x\n", "\""),
            LongFile("a: ", "x\n ", ""),
            LongFile("", "#\n", "a: b"), LongFile("", "x", ""), LongFile("[", "[],", "]"),
            LongFile("", "- &a\n", ""), LongFile("'", "''", "'"), LongFile("{", "b, ", "}"),
            LongFile("", "- *x\n", "- a"),
        ])
    func longTextIsReadToItsEndInLinearTime(file: LongFile) throws {
        let document = parse(file.text, limits: YAMLLimits(errors: 100_000))
        let end = try #require(document.root).range.end.offset
        #expect(document.source.bytes[end...].allSatisfy { $0 == 0x0A || $0 == 0x20 })
        #expect(document.errors.allSatisfy { $0.rule == .duplicateKey || $0.rule == .unknownAlias })
    }

    @Test("A very long list on one line is read") func veryLongListOnOneLineIsRead() throws {
        let names = (0..<20_000).map { "user\($0)" }
        let document = parse("usernames: [" + names.joined(separator: ", ") + "]\n")
        let items = try #require(document.root?["usernames"]).items
        #expect(items.count == names.count)
        #expect(items.last?.scalar?.text == names.last)
        #expect(items.last?.range.start.line == 1)
        let last = try #require(items.last)
        #expect(document.source.position(atByte: last.range.start.offset) == last.range.start)
    }
}
