import TestSupport
import Testing

@testable import CampaignFormat

/// `# hubsend:ignore RULE reason`.
@Suite(.bounded) struct IgnoreCommentsTests {
    /// What is left of a campaign's remarks, and what is said of its comments.
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

    @Test func ofAFileWithErrorsNobodyKnowsWhetherACommentIsUseless() throws {
        let text = campaign("audience: { usernames: [alice] } # hubsend:ignore too-slow It is.")
        #expect(try check(text, isComplete: false).faults.isEmpty)
        #expect(try check(text).faults.count == 1)
    }

    @Test func anErrorStays() {
        let error = Diagnostic(
            file: "a", range: TextRange(line: 1, column: 1), severity: .error,
            rule: "missing-file", message: "m")
        #expect(IgnoreComments().kept(of: [error]) == [error])
    }
}
