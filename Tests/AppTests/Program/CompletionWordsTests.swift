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

    @Test func campaignsAndFoldersAreOfferedAndNothingElse() throws {
        let folder = try folder()
        #expect(
            CampaignWords(folder.path + "/").words()
                == ["broken.yml", "spring.yaml", "sub/"].map(folder.file))
    }

    @Test func onlyWhatBeginsAsTypedIsOffered() throws {
        let folder = try folder()
        #expect(CampaignWords(folder.file("sp")).words() == [folder.file("spring.yaml")])
        #expect(CampaignWords(folder.file("sub/")).words() == [folder.file("sub/summer.yaml")])
        #expect(CampaignWords(folder.file("sp/")).words() == [])
        #expect(CampaignWords(folder.file("\"sp")).words() == [])
    }

    @Test func aStoreThatIsNotThereHasNoRunsAndIsNotMade() async throws {
        let folder = try TemporaryFolder()
        let words = RunWords(
            after: ["hubsend", "report", "--store", folder.file("store.sqlite"), ""],
            invocation: Invocation(environment: [:], currentFolder: folder.path))
        #expect(await words.words() == [])
        #expect(try folder.contents() == [])
    }

    @Test func whatTakesNoCampaignsNameIsOfferedIDsAlone() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"))
        let run = RunRecord.sample().id
        try await store.begin(.sample())
        try store.close()
        let words = RunWords(
            after: ["hubsend", "payload", "list", "--store", folder.file("store.sqlite"), "--run"],
            invocation: Invocation(environment: [:], currentFolder: folder.path))
        #expect(await words.ids() == [run.text])
        #expect(await words.words() == ["spring", run.text])
    }

    @Test func aConfigWithFaultsIsNoReasonToSayAnything() async throws {
        let folder = try TemporaryFolder()
        try folder.write("hub: [", to: "hubsend.yaml")
        let words = RunWords(
            after: ["hubsend", "stop", ""],
            invocation: Invocation(environment: [:], currentFolder: folder.path))
        #expect(await words.words() == [])
    }
}
