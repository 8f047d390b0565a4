import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct MissingFilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(
        "A campaign with missing files has an error, but its delivery is still readable",
        arguments: [
            ("files: [people.txt]", "text: Hello"), ("usernames: [alice]", "file: statement.txt"),
            ("files: [a.csv, b.txt]", "file: statement.txt"),
            ("usernames: [alice], exclude: { files: [out.txt] }", "text: Hello"),
        ])
    func campaignWithMissingFilesHasAnErrorButItsDeliveryIsStill(
        audience: String, payload: String
    ) throws {
        let loaded = try folder.load(
            TemporaryFolder.campaign(
                audience: audience, payload: payload, rest: "delivery: { rate: 7/s }"))
        #expect(loaded.campaign == nil)
        #expect(loaded.diagnostics.hasErrors)
        let campaign = try #require(loaded.withoutFiles)
        #expect(campaign.name == "test")
        #expect(campaign.delivery.rate == 7)
    }

    @Test("A missing exports folder counts as a missing file")
    func missingExportsFolderCountsAsAMissingFile() throws {
        let scope = FileScope(
            exports: ExportFolder(path: folder.file("exports"), isChosen: true))
        let loaded = try folder.load(
            TemporaryFolder.campaign(audience: "files: [\"export:people.txt\"]"), scope: scope)
        #expect(loaded.campaign == nil)
        #expect(loaded.withoutFiles?.name == "test")
    }

    @Test(
        "With any error besides missing files, a run cannot be continued",
        arguments: [
            ("files: [people.txt]", "text: Hello", "delivery: { rate: fast }"),
            ("files: [people.txt, ../people.txt]", "text: Hello", ""),
            ("usernames: [alice]", "file: statement.txt, text: Hello", ""),
        ])
    func withAnyErrorBesidesMissingFilesARunCannotBeContinued(
        audience: String, payload: String, rest: String
    ) throws {
        let loaded = try folder.load(
            TemporaryFolder.campaign(audience: audience, payload: payload, rest: rest))
        #expect(loaded.campaign == nil)
        #expect(loaded.withoutFiles == nil)
    }

    @Test("A valid campaign needs no version without files")
    func validCampaignNeedsNoVersionWithoutFiles() throws {
        let loaded = try folder.load(TemporaryFolder.campaign())
        #expect(loaded.campaign != nil)
        #expect(loaded.withoutFiles == nil)
    }
}
