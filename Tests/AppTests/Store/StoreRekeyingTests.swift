import CampaignCore
import StoreConformance
import TestSupport
import Testing

@testable import App
@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct StoreRekeyingTests {
    private static let old = String(repeating: "07", count: 32)
    private static let new = String(repeating: "a1", count: 32)

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func settings(_ keys: String...) throws -> EffectiveSettings {
        try folder.write(keys.joined(separator: "\n") + "\n", to: "payload-key", mode: 0o600)
        return try EffectiveSettings.load(
            in: folder, ["HUBSEND_PAYLOAD_KEY_FILE": folder.file("payload-key")])
    }

    private func store(_ settings: EffectiveSettings) async throws -> any Store {
        try await settings.store.open(settings.storeOptions())
    }

    private func stage(_ store: any Store, _ suffix: String) async throws -> NotificationID {
        try await StoreUnderTest { store }.stage(
            Samples.names(2), of: Samples.run(suffix, campaign: suffix, kind: .secure),
            notification: Samples.notification(
                nil, type: nil, content: .text("sesame", mediaType: "text/plain")))
    }

    @Test("The payload key can be changed as the manual describes")
    func payloadKeyCanBeChangedAsTheManualDescribes() async throws {
        let before = try await store(try settings(Self.old))
        let first = try await stage(before, "aaaaaa")
        // If there are several hosts, the new key is first added after the old one.
        let server = try await store(try settings(Self.old, Self.new))
        let both = try settings(Self.new, Self.old)
        let second = try await stage(try await store(both), "bbbbbb")
        #expect(try await server.notification(second)?.bytes == Array("sesame".utf8))
        try await StoreRekeying(both, isQuiet: true).run()
        #expect(try await server.notification(first)?.bytes == Array("sesame".utf8))
        let after = try await store(try settings(Self.new))
        try await after.checkPayloadKey()
        for id in [first, second] {
            #expect(try await after.notification(id)?.bytes == Array("sesame".utf8))
        }
        #expect(try await after.check().damage.isEmpty)
        let outdated = try await store(try settings(Self.old))
        await #expect(throws: StoreError.self) { try await outdated.checkPayloadKey() }
        for store in [before, server, after, outdated] { try store.close() }
    }

    @Test("A missing store is not created") func missingStoreIsNotCreated() async throws {
        let both = try settings(Self.new, Self.old)
        await #expect(throws: StoreError.notFound(.store(path: folder.file("store.sqlite")))) {
            try await StoreRekeying(both, isQuiet: true).run()
        }
        #expect(try folder.contents() == ["payload-key"])
    }

    @Test("An invalid list of keys is refused") func invalidListOfKeysIsRefused() async throws {
        let settings = try settings(Self.new, "no key")
        await #expect(throws: Refused.self) { try await settings.storeOptions() }
    }

    @Test("The output says which keys are still needed") func outputSaysWhichKeysAreStillNeeded() {
        var rekeyed = RekeyedPayloads()
        #expect(
            StoreRekeying.sentence(rekeyed).hasPrefix(
                "All payloads were already encrypted with the first key."))
        rekeyed.payloads = 1_200
        #expect(
            StoreRekeying.sentence(rekeyed).hasPrefix("1,200 payloads were re-encrypted. "))
        rekeyed.isStaging = true
        func said() -> String {
            StoreRekeying.refusal(rekeyed, in: .store(path: "/s/store.sqlite")).sentence
        }
        #expect(said().contains("is being staged"))
        rekeyed.isOvertaken = true
        #expect(said().contains("with a different key"))
        rekeyed.unreadable = 2
        #expect(said().contains("keep all keys"))
    }
}
