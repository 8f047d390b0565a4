import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

/// The places of findings that only a plan of the whole audience reveals.
@Suite(.bounded) struct AudienceFaultTests {
    private let folder: TemporaryFolder
    private let loaded: LoadedCampaign

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("username,city\nAlice,Rome\n", to: "people.csv")
        loaded = try folder.load(
            """
            campaign: test
            kind: rich
            platforms: [apns]
            audience:
              usernames: [bob, alice]
              files: [people.csv]
              min_recipients: 2
              max_recipients: 3
            payload: { message: Hello, type: text, text: "{{city|x}}" }
            """)
    }

    private func member(_ name: String, file: Int, line: Int) throws -> AudienceMember {
        AudienceMember(
            username: try Username(name), origin: AudienceOrigin(file: file, line: line))
    }

    private func rendered(_ fault: AudienceFault, masksAudience: Bool = false) -> String {
        let renderer = TextDiagnosticRenderer(masksAudience: masksAudience)
        return renderer.render([loaded.diagnostic(for: fault)])
            .replacing(folder.path + "/", with: "")
    }

    @Test func countsStandAtTheirKeys() {
        #expect(
            rendered(.empty(excluded: 3)) == """
                campaign.yaml:4:1: error: Nobody is left to send to after 3 were excluded. [empty-audience]
                   4 | audience:
                     | ^^^^^^^^
                  help: An empty audience is never a broadcast.

                """)
        #expect(rendered(.tooFew(final: 1, minimum: 2)).hasPrefix("campaign.yaml:7:19: error: "))
        #expect(rendered(.tooMany(final: 4, maximum: 3)).hasPrefix("campaign.yaml:8:19: error: "))
    }

    @Test func namesThatDifferInCaseAreShownAtBothPlaces() throws {
        let conflict = CaseConflict(
            first: try member("Alice", file: 1, line: 2),
            second: try member("alice", file: 0, line: 5))
        #expect(
            rendered(.caseConflict(conflict)) == """
                campaign.yaml:5:20: error: The usernames "Alice" and "alice" differ only in case. [case-conflict]
                   5 |   usernames: [bob, alice]
                     |                    ^^^^^
                  help: One of them is a mistake; write them alike.
                  note: people.csv:2:1: The other is here.

                """)
        let masked = rendered(.caseConflict(conflict), masksAudience: true)
        #expect(!masked.lowercased().contains("alice"))
        #expect(masked.contains("\"***\" and \"***\""))
    }

    private func rendered(_ conflicts: ValueConflicts, masksAudience: Bool = false) -> String {
        TextDiagnosticRenderer(masksAudience: masksAudience)
            .render(loaded.diagnostics(for: conflicts)).replacing(folder.path + "/", with: "")
    }

    @Test func whoIsNamedAgainWithOtherValuesIsShownAtBothPlaces() throws {
        var conflicts = ValueConflicts()
        let example = ValueConflicts.Example(
            first: try member("alice", file: 0, line: 5),
            other: try member("alice", file: 1, line: 7))
        conflicts.add(example)
        let one = """
            people.csv:7:1: warning: "alice" is named again with other values, which do not count. [conflicting-values]
              help: The row that comes first counts, in the order of the files; delete the wrong one.
              note: campaign.yaml:5:20: These values count.

            """
        #expect(rendered(conflicts) == one)
        #expect(!rendered(conflicts, masksAudience: true).contains("alice\""))
        for _ in 2...ValueConflicts.mostExamples { conflicts.add(example) }
        #expect(!rendered(conflicts).contains("more"))
        conflicts.add(example)
        #expect(rendered(conflicts).contains("warning: One more person is named again with other"))
        conflicts.add(example)
        #expect(
            rendered(conflicts).hasSuffix(
                """
                campaign.yaml:4:1: warning: 2 more people are named again with other values, which do not count. [conflicting-values]
                   4 | audience:
                     | ^^^^^^^^
                  help: The row that comes first counts, in the order of the files.

                """))
    }

    @Test func aMissingValueStandsAtThePersonsLine() throws {
        let text = rendered(
            .missingVariable(name: "city", member: try member("Alice", file: 1, line: 2)))
        #expect(text.hasPrefix("people.csv:2:1: error: \"Alice\" has no value for \"{{city}}\"."))
        #expect(text.contains("[variable-without-value]"))
    }

    @Test func aNameThatAnotherFileHasStandsAtTheName() {
        let diagnostic = loaded.duplicateName(with: "other.yaml")
        #expect(diagnostic.range == TextRange(line: 1, column: 11, length: 4))
        #expect(diagnostic.message.text.contains("other.yaml"))
    }

    @Test func sizesAndCharactersStandAtTheMessage() throws {
        let person = try member("Alice", file: 1, line: 2)
        let size = rendered(
            .bodyTooLarge(platform: .apns, bytes: 5_000, limit: 4_096, member: person))
        #expect(size.hasPrefix("campaign.yaml:9:21: error: The push body for apns has 5,000 bytes"))
        #expect(size.contains("note: people.csv:2:1: This recipient has the largest."))
        let character = rendered(.unwritable("\u{7}", platform: .wns, member: nil))
        #expect(
            character.hasPrefix("campaign.yaml:9:21: error: The message has the character U+0007"))
    }
}
