import CampaignCore
import Foundation
import PostgreSQLClient
import SQLiteDriver
import Storage
import TestPostgreSQL
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct PersonRemovalTests {
    private let folder: TemporaryFolder
    private let alice = Username(checked: "alice")

    init() throws { folder = try TemporaryFolder() }

    private func named(_ text: String, _ name: String = "a.csv") throws -> Bool {
        try folder.write(text, to: name)
        return NameSearch(alice).files(in: [folder.path], besides: []) == [folder.file(name)]
    }

    @Test(
        "A file that names the person is found",
        arguments: [
            "alice", "username\nalice,7\n", "usernames: [bob, alice]", "\"username:alice\"",
        ])
    func fileThatNamesThePersonIsFound(text: String) throws {
        #expect(try named(text))
    }

    @Test(
        "A file that names only other people is not found",
        arguments: ["alicia", "malice", "alice2", "Alice", "", "alice_b"])
    func fileThatNamesOnlyOtherPeopleIsNotFound(text: String) throws {
        #expect(try !named(text))
    }

    @Test("A name in UTF-16, or split across two blocks, is found")
    func nameInUTF16OrSplitAcrossTwoBlocksIsFound() throws {
        try folder.write(
            "a\nalice\n".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, to: "w.csv")
        try folder.write(
            Array(repeating: UInt8(ascii: " "), count: (1 << 20) - 2) + Array("alice\n".utf8),
            to: "sub/long.csv")
        #expect(
            NameSearch(alice).files(in: [folder.path], besides: [])
                == [folder.file("sub/long.csv"), folder.file("w.csv")])
    }

    @Test("The store's files and Git's files are not searched")
    func storesFilesAndGitsFilesAreNotSearched() throws {
        try folder.write("alice", to: "own.csv")
        try folder.write("alice", to: ".git/x")
        #expect(
            NameSearch(alice).files(in: [folder.path], besides: [folder.file("own.csv")]) == [])
    }

    @Test("The store forgets the person, and files that name them are listed")
    func storeForgetsThePersonAndFilesThatNameThemAreListed() async throws {
        let path = folder.file("store.sqlite")
        let store = try SQLiteStore.open(at: path)
        try await store.issue(
            "17-4", to: alice, handle: nil, at: Date(timeIntervalSince1970: 1_796_112_000))
        try store.close()
        try folder.write("alice\n", to: "people.csv")
        let settings = try EffectiveSettings.load(in: folder, store: path)
        let removal = PersonRemoval(of: alice, settings)
        #expect(try await removal.registrations() == ["17-4"])
        let result = try await removal.run(atHub: nil) { _ in false }
        let sentences = result.sentences
        #expect(result.error.map { "\($0)" } == nil)
        #expect(
            sentences[0]
                == "alice was deleted from the store: the name in 0 runs, 0 payloads and 1 registration."
        )
        #expect(sentences[1].hasPrefix("The hub was not contacted"))
        #expect(
            sentences.suffix(2) == [
                "These files still name them:", "  \(folder.file("people.csv"))",
            ])
        #expect(try await removal.registrations() == [])
        let again = try await removal.run(atHub: 0) { _ in false }
        #expect(
            again.sentences[0].hasPrefix("The store had nothing about alice. Check the spelling"))
    }

    @Test("A report page whose run is not in the store is listed and left unchanged")
    func reportPageWhoseRunIsNotInTheStoreIsListedAndLeftUnchanged() async throws {
        let path = folder.file("store.sqlite")
        try SQLiteStore.open(at: path).close()
        let page = RunPage(
            ReportSamples.details(), command: CommandForm(), made: ReportSamples.start)
        let html = String(decoding: page.header() + page.footer(), as: UTF8.self)
        let settings = try EffectiveSettings.load(in: folder, store: path)
        let name = ReportFormat.html.fileName(run: ReportSamples.run, campaign: "statement-ready")
        let report = settings.reports + "/" + name
        try FileManager.default.createDirectory(
            atPath: settings.reports, withIntermediateDirectories: true)
        try html.write(toFile: report, atomically: true, encoding: .utf8)
        let result = try await PersonRemoval(of: alice, settings).run(atHub: nil) { _ in false }
        #expect(result.error != nil)
        #expect(result.sentences.contains("  \(report)"))
        #expect(try String(contentsOfFile: report, encoding: .utf8) == html)
    }

    @Test("A server store with a payload key recognises forgotten people", .postgreSQL)
    func serverStoreWithAPayloadKeyRecognisesForgottenPeople()
        async throws
    {
        let settings = try EffectiveSettings.load(
            SettingFlags(), campaigns: [],
            invocation: Invocation(
                environment: [
                    "HUBSEND_STORE": try await PostgreSQLServer.shared.emptyStore().text,
                    "HUBSEND_PAYLOAD_KEY": String(repeating: "07", count: 32),
                ],
                currentFolder: folder.path))
        try await settings.store.open(settings.storeOptions()).close()
        _ = try await PersonRemoval(of: alice, settings).run(atHub: nil) { _ in false }
        let store = try await settings.store.open(settings.storeOptions())
        try await store.checkPayloadKey()
        #expect(try await store.forgotten(among: [alice]) == [alice])
        try store.close()
    }

    @Test("The output says what is left to do") func outputSaysWhatIsLeftToDo() {
        var forgotten = ForgottenPerson()
        forgotten.runs = 2
        let sentences = PersonRemoval.sentences(alice, forgotten, atHub: 1, files: [])
        #expect(sentences[1] == "At the hub, 1 registration was deleted.")
        #expect(sentences[2].contains("Run this again"))
        forgotten.isErased = true
        #expect(PersonRemoval.sentences(alice, forgotten, atHub: 1, files: []).count == 3)
    }

    @Test("The output says what a server may still contain")
    func outputSaysWhatAServerMayStillContain() {
        let sentences = PersonRemoval.sentences(
            alice, ForgottenPerson(), isOnServer: true, atHub: nil, files: [])
        #expect(sentences[2].hasPrefix("No row in the store names them any more. The server's "))
        #expect(!sentences.contains { $0.contains("Run this again") })
        #expect(sentences.last?.hasSuffix("run this on each host too.") == true)
    }

    @Test("Without a store, forgetting a person fails and creates nothing")
    func withoutAStoreForgettingAPersonFailsAndCreatesNothing() async throws {
        let settings = try EffectiveSettings.load(in: folder)
        await #expect(throws: StoreError.notFound(.store(path: folder.file("store.sqlite")))) {
            try await PersonRemoval(of: alice, settings).registrations()
        }
        #expect(try folder.contents() == [])
    }
}
