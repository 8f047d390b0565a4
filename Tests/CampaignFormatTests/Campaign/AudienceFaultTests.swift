import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

/// Tests findings that only a plan of the whole audience reveals; the fixtures of mistakes cover
/// others.
@Suite(.bounded) struct AudienceFaultTests {
    private let folder: TemporaryFolder
    private let loaded: LoadedCampaign

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("username,city\nAlice,Rome\n", to: "people.csv")
        loaded = try folder.load(
            TemporaryFolder.campaign(audience: "usernames: [bob, alice], files: [people.csv]"))
    }

    private func member(_ name: String, file: Int, line: Int) throws -> AudienceMember {
        AudienceMember(
            username: try Username(name), origin: AudienceOrigin(file: file, line: line))
    }

    @Test("Names that differ only in case are masked")
    func namesThatDifferOnlyInCaseAreMasked() throws {
        let conflict = CaseConflict(
            first: try member("Alice", file: 1, line: 2),
            second: try member("alice", file: 0, line: 4))
        let masked = TextDiagnosticRenderer(masksAudience: true)
            .render([loaded.diagnostic(for: .caseConflict(conflict))])
        #expect(!masked.lowercased().contains("alice"))
        #expect(masked.contains("\"***\" and \"***\""))
    }

    @Test("People listed twice are shown up to a limit, and the others are counted")
    func peopleListedTwiceAreShownUpToALimitAndTheOthersAreCounted() throws {
        func rendered(_ conflicts: ValueConflicts, masksAudience: Bool = false) -> String {
            TextDiagnosticRenderer(masksAudience: masksAudience)
                .render(loaded.diagnostics(for: conflicts))
        }
        var conflicts = ValueConflicts()
        let example = ValueConflicts.Example(
            first: try member("alice", file: 0, line: 4),
            other: try member("alice", file: 1, line: 7))
        for _ in 1...ValueConflicts.mostExamples { conflicts.add(example) }
        #expect(!rendered(conflicts).contains("more"))
        #expect(!rendered(conflicts, masksAudience: true).contains("alice\""))
        conflicts.add(example)
        #expect(
            rendered(conflicts).contains("warning: One more person is listed again with different"))
        conflicts.add(example)
        #expect(
            rendered(conflicts).contains(
                "campaign.yaml:4:1: warning: 2 more people are listed again with different values, which are ignored. [conflicting-values]\n"
            ))
    }
}
