import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct PersonalNamesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func hints(
        _ audience: String, scope: FileScope = FileScope(), isLinting: Bool = true
    ) throws -> [Diagnostic] {
        let loaded = try folder.load(TemporaryFolder.campaign(audience: audience), scope: scope)
        let checked = try #require(loaded.checkedAudience(isLinting: isLinting))
        for part in [AudiencePart.named, .excluded] { _ = try checked.all(part) }
        return loaded.personalNames(in: checked)
    }

    @Test func aFileWithThemIsOneHintAtItsEntryThatLeadsToTheFirst() throws {
        try folder.write("username\nbob\na@example.com\ncarol\n030-123-4567\n", to: "a.csv")
        let found = try hints("files: [a.csv]")
        let hint = try #require(found.first)
        #expect(found.count == 1)
        #expect(hint.rule == "personal-username" && hint.severity == .hint)
        #expect(hint.file == folder.file("campaign.yaml"))
        #expect(hint.range.line == 4 && hint.range.column == 21)
        #expect(
            hint.message.text
                == "2 usernames of \"a.csv\" look like e-mail addresses or phone numbers.")
        #expect(hint.related.map(\.file) == [folder.file("a.csv")])
        #expect(hint.related.map(\.range.line) == [3])
        #expect(!TextDiagnosticRenderer(masksAudience: true).render(found).contains("example"))
    }

    @Test func exclusionsAreLookedAtTooAndWhatTheCampaignNamesItselfIsNot() throws {
        try folder.write("bob\n", to: "a.txt")
        try folder.write("a@example.com\n", to: "out.txt")
        let found = try hints(
            "usernames: [b@example.com], files: [a.txt], exclude: { files: [out.txt] }")
        #expect(
            found.map(\.message.text) == [
                "One username of \"out.txt\" looks like an e-mail address or a phone number."
            ])
    }

    @Test func manyAreNotCountedToTheEnd() throws {
        let names = (1...250).map { "user-\($0)@example.com\n" }.joined()
        try folder.write(names, to: "a.txt")
        try folder.write("bob\nc@example.com\n", to: "b.txt")
        let found = try hints("files: [a.txt, b.txt]")
        #expect(
            found.map(\.message.text) == [
                "At least 100 usernames of \"a.txt\" look like e-mail addresses or phone numbers.",
                "One username of \"b.txt\" looks like an e-mail address or a phone number.",
            ])
    }

    @Test func exportsAreNoPublicPlaceAndOnlyACheckAsks() throws {
        try folder.write("a@example.com\n", to: "exports/a.txt")
        let exports = ExportFolder(path: folder.file("exports"), isChosen: true)
        #expect(try hints("files: [\"export:a.txt\"]", scope: FileScope(exports: exports)).isEmpty)
        try folder.write("a@example.com\n", to: "a.txt")
        #expect(try hints("files: [a.txt]", isLinting: false).isEmpty)
    }
}
