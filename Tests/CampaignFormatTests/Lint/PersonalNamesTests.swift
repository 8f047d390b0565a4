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

    @Test("Names in exclusion files are checked, but not names in the campaign itself")
    func namesInExclusionFilesAreCheckedButNotNamesInTheCampaign() throws {
        try folder.write("bob\n", to: "a.txt")
        try folder.write("a@example.com\n", to: "out.txt")
        let found = try hints(
            "usernames: [b@example.com], files: [a.txt], exclude: { files: [out.txt] }")
        #expect(
            found.map(\.message.text) == [
                "One username in \"out.txt\" looks like an e-mail address or a phone number."
            ])
    }

    @Test("The counting of personal names stops at a limit")
    func countingOfPersonalNamesStopsAtALimit() throws {
        let names = (1...250).map { "user-\($0)@example.com\n" }.joined()
        try folder.write(names, to: "a.txt")
        try folder.write("bob\nc@example.com\n", to: "b.txt")
        let found = try hints("files: [a.txt, b.txt]")
        #expect(
            found.map(\.message.text) == [
                "At least 100 usernames in \"a.txt\" look like e-mail addresses or phone numbers.",
                "One username in \"b.txt\" looks like an e-mail address or a phone number.",
            ])
    }

    @Test("Exports are not checked for personal names")
    func exportsAreNotCheckedForPersonalNames() throws {
        try folder.write("a@example.com\n", to: "exports/a.txt")
        let exports = ExportFolder(path: folder.file("exports"), isChosen: true)
        #expect(try hints("files: [\"export:a.txt\"]", scope: FileScope(exports: exports)).isEmpty)
        try folder.write("a@example.com\n", to: "a.txt")
        #expect(try hints("files: [a.txt]", isLinting: false).isEmpty)
    }
}
