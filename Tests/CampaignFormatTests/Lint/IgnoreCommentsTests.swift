import TestSupport
import Testing

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

    @Test(
        "A comment disables a rule for its own line or the next one",
        arguments: [
            "audience: { usernames: [a@b.com] } # hubsend:ignore personal-username Ours.",
            "audience: { usernames: [a@b.com] }   #hubsend:ignore personal-username Ours.",
            "# hubsend:ignore personal-username Ours.\naudience: { usernames: [a@b.com] }",
            "  # hubsend:ignore personal-username Ours.\n\n# More.\naudience: { usernames: [a@b.com] }",
            "audience:\n  usernames:\n    # hubsend:ignore personal-username Ours.\n    - a@b.com",
        ])
    func commentDisablesARuleForItsOwnLineOrTheNextOne(_ audience: String) throws {
        let (left, faults) = try check(campaign(audience))
        #expect(left.isEmpty)
        #expect(faults.isEmpty)
    }

    /// The fixtures of mistakes cover the other parts that a comment may lack.
    @Test("Dots are not accepted as a reason") func dotsAreNotAcceptedAsAReason() throws {
        let (left, faults) = try check(
            campaign(
                "audience: { usernames: [a@b.com] } # hubsend:ignore personal-username ..."))
        #expect(left == ["personal-username"])
        #expect(faults.map(\.rule) == ["invalid-ignore"])
    }

    @Test(
        "Comments and text in any other form disable no rule",
        arguments: [
            "description: \"# hubsend:ignore personal-username Ours.\"\naudience: { usernames: [a@b.com] }",
            "description: |\n  # hubsend:ignore personal-username Ours.\naudience: { usernames: [a@b.com] }",
            "description: x# hubsend:ignore personal-username Ours.\naudience: { usernames: [a@b.com] }",
            "# hubsend:ignored personal-username Ours.\naudience: { usernames: [a@b.com] }",
            "# Write hubsend:ignore personal-username Ours.\naudience: { usernames: [a@b.com] }",
        ])
    func commentsAndTextInAnyOtherFormDisableNoRule(_ text: String) throws {
        let (left, faults) = try check(campaign(text))
        #expect(left == ["personal-username"])
        #expect(faults.isEmpty)
    }

    @Test(
        "A comment on another line has no effect",
        arguments: ["description: x", "description: |", "description: [\"#\", x#]"])
    func commentOnAnotherLineHasNoEffect(_ key: String) throws {
        let (left, faults) = try check(
            campaign("\(key) # hubsend:ignore personal-username Ours.\n\n")
                .replacing("payload:", with: "audience: { usernames: [a@b.com] }\npayload:"))
        #expect(left == ["personal-username"])
        #expect(faults.map(\.rule) == ["useless-ignore"])
    }

    @Test("A comment hides only the finding on its own line")
    func commentHidesOnlyTheFindingOnItsOwnLine() throws {
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

    @Test("In a file with errors, no comment is reported as useless")
    func inAFileWithErrorsNoCommentIsReportedAsUseless() throws {
        let text = campaign("audience: { usernames: [alice] } # hubsend:ignore too-slow It is.")
        #expect(try check(text, isComplete: false).faults.isEmpty)
        #expect(try check(text).faults.count == 1)
    }

    @Test("Comments on machine-dependent findings are not reported as useless")
    func commentsOnMachineDependentFindingsAreNotReportedAsUseless() throws {
        let checked = campaign("audience: { usernames: [a] } # hubsend:ignore not-checked It is.")
        #expect(try check(checked).faults.isEmpty)
        let silent = checked.replacing("not-checked", with: "silent-budget")
        #expect(try check(silent).faults.map(\.rule) == ["useless-ignore"])
        let comments = try TemporaryFolder().load(silent).lint.ignores
        #expect(
            comments.faults(among: [], isComplete: true, unknown: ["silent-budget"]).isEmpty)
    }

    @Test("A comment cannot disable an error") func commentCannotDisableAnError() {
        let error = Diagnostic(.missingFile, in: "a", at: TextRange(line: 1, column: 1), "m")
        #expect(IgnoreComments().kept(of: [error]) == [error])
    }

    @Test("Several comments on a line each disable a rule")
    func severalCommentsOnALineEachDisableARule() throws {
        let line = "audience: { usernames: [a@b.com] } # hubsend:ignore too-slow It is."
        let (left, faults) = try check(
            campaign(line + " # hubsend:ignore personal-username Ours."))
        #expect(left.isEmpty)
        #expect(faults.map(\.rule) == ["useless-ignore"])
        // The second comment does not share the reason of the first.
        let without = line.replacing(" It is.", with: "")
        #expect(
            try check(campaign(without + " # hubsend:ignore personal-username Ours.")).faults
                .map(\.rule) == ["invalid-ignore"])
    }

    @Test(
        "A very large number of comments takes linear time",
        arguments: [
            // All comments are above a single value, on a single line, or each on its own line.
            "# hubsend:ignore a b\n  # More.\n\n", "# hubsend:ignore a b ",
            "- x # hubsend:ignore a b\n", "# More. # hubsend:ignore a b\n",
        ])
    func veryLargeNumberOfCommentsTakesLinearTime(_ piece: String) {
        // Quadratic work would take minutes.
        var files = SourceFiles(file: "a.yaml")
        files.take(SourceText(Array(String(repeating: piece, count: 20_000).utf8)))
        let nothing = YAMLNode.placeholder(at: SourceRange(start: .start, end: .start))
        let comments = IgnoreComments(in: files, root: nothing)
        #expect(comments.faults(among: [], isComplete: true).count == 1_000)
    }
}
