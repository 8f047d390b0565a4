import CampaignCore
import Foundation
import SQLiteDriver
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct CompletionWordsTests {
    private static let campaign = """
        campaign: spring
        kind: alert

        """

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Self.campaign, to: "spring.yaml")
        try folder.write("campaign: [", to: "broken.yml")
        try folder.write("devices: []\n", to: "devices.yaml")
        try folder.write("services: {}\n", to: "compose.yaml")
        try folder.write("spring", to: "notes.txt")
        try folder.write(Self.campaign, to: "$(touch gone).yaml")
        try folder.write(Self.campaign, to: "a\u{D4E};b.yaml")
        try folder.write(Self.campaign, to: ".hidden.yaml")
        try folder.write(Self.campaign, to: ".\u{301}hidden.yaml")
        try folder.write(Self.campaign, to: "sub/summer.yaml")
        return folder
    }

    @Test("Only campaigns and folders are offered") func onlyCampaignsAndFoldersAreOffered() throws
    {
        let folder = try folder()
        #expect(
            CampaignCompletions(folder.path + "/").words()
                == ["broken.yml", "spring.yaml", "sub/"].map(folder.file))
    }

    @Test("Only words that begin with the typed text are offered")
    func onlyWordsThatBeginWithTheTypedTextAreOffered() throws {
        let folder = try folder()
        #expect(CampaignCompletions(folder.file("sp")).words() == [folder.file("spring.yaml")])
        #expect(
            CampaignCompletions(folder.file("sub/")).words() == [folder.file("sub/summer.yaml")])
        #expect(CampaignCompletions(folder.file("sp/")).words() == [])
        #expect(CampaignCompletions(folder.file("\"sp")).words() == [])
    }

    @Test("If the store is missing, no runs are suggested and no store is created")
    func ifTheStoreIsMissingNoRunsAreSuggestedAndNoStoreIsCreated() async throws {
        let folder = try TemporaryFolder()
        let words = RunCompletions(
            after: ["hubsend", "report", "--store", folder.file("store.sqlite"), ""],
            invocation: Invocation(environment: [:], currentFolder: folder.path))
        #expect(await words.words() == [])
        #expect(try folder.contents() == [])
    }

    @Test("Where no campaign name is accepted, only IDs are completed")
    func whereNoCampaignNameIsAcceptedOnlyIDsAreCompleted() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"))
        let run = RunRecord.sample().id
        try await store.begin(.sample())
        try store.close()
        let words = RunCompletions(
            after: ["hubsend", "payload", "list", "--store", folder.file("store.sqlite"), "--run"],
            invocation: Invocation(environment: [:], currentFolder: folder.path))
        #expect(await words.ids() == [run.text])
        #expect(await words.words() == ["spring", run.text])
    }

    @Test("If the config is invalid, nothing is suggested or printed")
    func ifTheConfigIsInvalidNothingIsSuggestedOrPrinted() async throws {
        let folder = try TemporaryFolder()
        try folder.write("hub: [", to: "hubsend.yaml")
        let words = RunCompletions(
            after: ["hubsend", "stop", ""],
            invocation: Invocation(environment: [:], currentFolder: folder.path))
        #expect(await words.words() == [])
    }
}
