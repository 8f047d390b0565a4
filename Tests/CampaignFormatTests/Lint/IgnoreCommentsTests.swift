import TestSupport
import Testing
import YAMLSyntax

@testable import CampaignFormat

@Suite(.bounded) struct IgnoreCommentsTests {
    /// The remaining remarks on a campaign, and the findings about its comments.
    private func check(_ text: String, isComplete: Bool = true) throws -> (
        left: [String], faults: [Diagnostic]
    ) {
        let lint = try TemporaryFolder().load(text).lint
        return (
            lint.ignores.kept(of: lint.remarks).map(\.rule),
            lint.ignores.faults(among: lint.remarks, isComplete: isComplete)
        )
    }

    private func campaign(_ audience: String) -> String {
        """
        campaign: test
        kind: secure
        platforms: [apns]
        \(audience)
        payload: { text: Hello }
        """
    }

    @Test(arguments: [
        "audience: { usernames: [a@b.com] } # hubsend:ignore personal-username Ours.",
        "audience: { usernames: [a@b.com] }   #hubsend:ignore personal-username Ours.",
        "# hubsend:ignore personal-username Ours.\naudience: { usernames: [a@b.com] }",
        "  # hubsend:ignore personal-username Ours.\n\n# More.\naudience: { usernames: [a@b.com] }",
        "audience:\n  usernames:\n    # hubsend:ignore personal-username Ours.\n    - a@b.com",
    ])
    func aCommentSwitchesARuleOffForItsLineOrTheNext(_ audience: String) throws {
        let (left, faults) = try check(campaign(audience))
        #expect(left.isEmpty)
        #expect(faults.isEmpty)
    }

    @Test(arguments: [
        ("# hubsend:ignore", "invalid-ignore", "does not say which rule"),
        ("# hubsend:ignore personal-username", "invalid-ignore", "does not say why"),
        ("# hubsend:ignore personal-username ...", "invalid-ignore", "does not say why"),
        ("# hubsend:ignore personal-usrname Ours.", "invalid-ignore", "There is no rule"),
        ("# hubsend:ignore unknown-key It is.", "invalid-ignore", "cannot be switched off"),
        ("# hubsend:ignore unused-column It is.", "useless-ignore", "Nothing breaks"),
    ])
    func aCommentThatSwitchesNothingOffIsAFinding(
        _ comment: String, _ rule: String, _ message: String
    ) throws {
        let (left, faults) = try check(campaign("audience: { usernames: [a@b.com] } \(comment)"))
        #expect(left == ["personal-username"])
        #expect(faults.map(\.rule) == [rule])
        #expect(faults.allSatisfy { $0.severity == .warning && $0.range.line == 4 })
        #expect(faults[0].message.text.contains(message))
    }

    @Test func theNearestRuleIsNamed() throws {
        let faults = try check(
            campaign("audience: { usernames: [alice] } # hubsend:ignore personal-usrname Ours.")
        ).faults
        #expect(faults.first?.help == "Did you mean \"personal-username\"?")
    }

    @Test(arguments: [
        "description: \"# hubsend:ignore personal-username Ours.\"\naudience: { usernames: [a@b.com] }",
        "description: |\n  # hubsend:ignore personal-username Ours.\naudience: { usernames: [a@b.com] }",
        "description: x# hubsend:ignore personal-username Ours.\naudience: { usernames: [a@b.com] }",
        "# hubsend:ignored personal-username Ours.\naudience: { usernames: [a@b.com] }",
        "# Write hubsend:ignore personal-username Ours.\naudience: { usernames: [a@b.com] }",
    ])
    func whatIsNoSuchCommentSwitchesNothingOff(_ text: String) throws {
        let (left, faults) = try check(campaign(text))
        #expect(left == ["personal-username"])
        #expect(faults.isEmpty)
    }

    @Test func aCommentOnAnotherLineHasNoEffect() throws {
        let (left, faults) = try check(
            campaign("description: x # hubsend:ignore personal-username Ours.\n\n")
                .replacing("payload:", with: "audience: { usernames: [a@b.com] }\npayload:"))
        #expect(left == ["personal-username"])
        #expect(faults.map(\.rule) == ["useless-ignore"])
    }

    @Test func aCommentHidesTheNameOfItsLineAndNoOther() throws {
        let names = "audience:\n  usernames:\n    - a@b.com\n    - c@d.com"
        let comment = " # hubsend:ignore personal-username Ours."
        for line in ["- a@b.com", "- c@d.com"] {
            let (left, faults) = try check(
                campaign(names.replacing(line, with: line + comment)))
            #expect(left == ["personal-username"])
            #expect(faults.isEmpty)
        }
        let both = names.replacing("com", with: "com" + comment)
        #expect(try check(campaign(both)).left.isEmpty)
    }

    @Test func ofAFileWithErrorsNobodyKnowsWhetherACommentIsUseless() throws {
        let text = campaign("audience: { usernames: [alice] } # hubsend:ignore too-slow It is.")
        #expect(try check(text, isComplete: false).faults.isEmpty)
        #expect(try check(text).faults.count == 1)
    }

    @Test func whatDependsOnTheMachineOrOnOtherFilesIsNotCalledUseless() throws {
        let checked = campaign("audience: { usernames: [a] } # hubsend:ignore not-checked It is.")
        #expect(try check(checked).faults.isEmpty)
        let silent = checked.replacing("not-checked", with: "silent-budget")
        #expect(try check(silent).faults.map(\.rule) == ["useless-ignore"])
        let comments = try TemporaryFolder().load(silent).lint.ignores
        #expect(
            comments.faults(among: [], isComplete: true, unknown: ["silent-budget"]).isEmpty)
    }

    @Test func anErrorStays() {
        let error = Diagnostic(
            file: "a", range: TextRange(line: 1, column: 1), severity: .error,
            rule: "missing-file", message: "m")
        #expect(IgnoreComments().kept(of: [error]) == [error])
    }

    @Test func severalCommentsOfALineEachSwitchARuleOff() throws {
        let line = "audience: { usernames: [a@b.com] } # hubsend:ignore too-slow It is."
        let (left, faults) = try check(
            campaign(line + " # hubsend:ignore personal-username Ours."))
        #expect(left.isEmpty)
        #expect(faults.map(\.rule) == ["useless-ignore"])
        // The second one does not share the first one's reason.
        let without = line.replacing(" It is.", with: "")
        #expect(
            try check(campaign(without + " # hubsend:ignore personal-username Ours.")).faults
                .map(\.rule) == ["invalid-ignore"])
    }

    // MARK: Effort

    /// Counts how often a byte is read.
    private struct CountedBytes: RandomAccessCollection {
        final class Counter { var count = 0 }

        let bytes: [UInt8]
        let counter = Counter()
        var startIndex: Int { 0 }
        var endIndex: Int { bytes.count }

        subscript(index: Int) -> UInt8 {
            counter.count += 1
            return bytes[index]
        }
    }

    @Test(arguments: [
        // Each above all others, with comments between them; all on one line; each on its own line.
        "# hubsend:ignore a b\n  # More.\n\n", "# hubsend:ignore a b ",
        "- x # hubsend:ignore a b\n",
        "# More. # hubsend:ignore a b\n",
    ])
    func howeverManyCommentsThereAreEveryByteIsReadAFewTimes(_ line: String) throws {
        let text = Array((String(repeating: line, count: 1_000) + "x").utf8)
        let mark = Array("# hubsend".utf8)
        let starts = text.indices.filter { text[$0...].starts(with: mark) }
        let bytes = CountedBytes(bytes: text)
        let comments = CommentLines(at: starts, in: bytes).comments
        #expect(comments.map(\.start) == starts)
        #expect(bytes.counter.count < 4 * text.count)
    }

    @Test func whatStandsBelowACommentIsNeitherBlankNorAComment() {
        let text = Array("# a # b\n\n  # c\nx # d\r\n# e".utf8)
        let comments = CommentLines(at: [0, 4, 11, 17, 22], in: text).comments
        #expect(comments.map(\.end) == [7, 7, 14, 20, 25])
        #expect(comments.map(\.below) == [15, 15, 15, 25, 25])
    }

    @Test func aTextAmongManyIsFoundByHalves() {
        for wanted in [0, 1, 4_711, 99_999, 100_000] {
            var steps = 0
            let found = TextPlaces.firstIndex(below: 100_000) { number in
                steps += 1
                return number >= wanted
            }
            #expect(found == wanted)
            #expect(steps <= 17)
        }
    }

    @Test func everyPlaceIsInATextOrBesideOne() throws {
        let text = "a: 'x#' # no\nb: | # no\n  # yes\nc: [\"# yes\", d#] # no\n"
        let root = try #require(YAMLParser.parse(Array(text.utf8)).root)
        let places = TextPlaces(in: root, of: Array(text.utf8))
        let signs = text.utf8.enumerated().filter { $0.element == UInt8(ascii: "#") }
            .map(\.offset)
        #expect(
            signs.map(places.contain) == [true, false, false, true, true, true, false])
    }
}
