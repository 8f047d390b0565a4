import CampaignCore
import FoundationEssentials
import Storage
import Testing

extension StorePromise {
    private static let names = Samples.names(3)
    private static let carol = Username(checked: "carol-the-forgotten")

    private static func secret(_ text: String) -> NewNotification {
        Samples.notification(nil, type: nil, content: .text(text, mediaType: "text/plain"))
    }

    private static func run(_ suffix: String) -> RunRecord {
        Samples.run(suffix, campaign: suffix, kind: .secure)
    }

    private static func opened(
        _ test: StoreUnderTest, _ key: PayloadKey, earlier: PayloadKey...
    ) throws -> StoreUnderTest {
        try StoreUnderTest { try test.open(.given(key, earlier: earlier)) }
    }

    private static func isRefused(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return false
        } catch StoreError.wrongPayloadKey {
            return true
        } catch {
            return false
        }
    }

    package static let rekeying = [
        StorePromise("During a key change, the first key encrypts and all keys decrypt") { test in
            let (old, new) = (PayloadKey.random(), PayloadKey.random())
            let before = try opened(test, old)
            let first = try await before.stage(
                names, of: run("aaaaaa"), notification: secret("sesame"))
            let both = try opened(test, new, earlier: old)
            try await both.store.checkPayloadKey()
            #expect(try await both.store.notification(first)?.bytes == Array("sesame".utf8))
            let second = try await both.stage(
                names, of: run("bbbbbb"), notification: secret("poppy"))
            #expect(try await both.store.notification(second)?.bytes == Array("poppy".utf8))
            // A new key that is listed after the old one can also decrypt.
            let behind = try opened(test, old, earlier: new)
            #expect(try await behind.store.notification(second)?.bytes == Array("poppy".utf8))
            for (key, suffix) in [(old, "cccccc"), (new, "eeeeee")] {
                let alone = try opened(test, key)
                #expect(await isRefused { try await alone.store.checkPayloadKey() })
                #expect(
                    await isRefused {
                        _ = try await alone.stage(
                            names, of: run(suffix), notification: secret("no"))
                    })
            }
            // A store opened earlier notices this at its next encryption or decryption.
            #expect(await isRefused { _ = try await before.store.notification(second) })
            #expect(
                await isRefused {
                    _ = try await before.stage(names, of: run("dddddd"), notification: secret("no"))
                })
        },
        StorePromise("After re-encryption, the first key is sufficient") { test in
            let (old, new) = (PayloadKey.random(), PayloadKey.random())
            let before = try opened(test, old)
            let shared = try await before.stage(
                names, of: run("aaaaaa"), notification: secret("sesame"))
            let personal = try await before.stagePersonal(
                names, of: Samples.run("bbbbbb", campaign: "b"))
            let open = try await before.stage(names, of: Samples.run("cccccc", campaign: "c"))
            let both = try opened(test, new, earlier: old)
            let rekeyed = try await both.store.rekey { _ in }
            #expect(rekeyed.payloads == 1 + names.count)
            #expect(rekeyed.isComplete)
            let after = try opened(test, new).store
            try await after.checkPayloadKey()
            #expect(try await after.notification(shared)?.bytes == Array("sesame".utf8))
            for (id, name) in zip(personal, names) {
                let found = try await after.notification(id, for: name)
                #expect(found?.notification.bytes == Array("only for \(name)".utf8))
            }
            #expect(try await after.notification(open) != nil)
            for suffix in ["aaaaaa", "bbbbbb", "cccccc"] {
                try await after.verify(Samples.runID(suffix))
            }
            let claims = try await after.claimNext(
                Samples.runID("bbbbbb"), platform: .apns, limit: 9)
            #expect(claims.map(\.pushed.texts.message) == names.map { "dear \($0)" })
            let outdated = try opened(test, old).store
            #expect(await isRefused { try await outdated.checkPayloadKey() })
            #expect(await isRefused { _ = try await before.store.notification(shared) })
            #expect(try await after.rekey { _ in }.payloads == 0)
            #expect(try await both.store.rekey { _ in }.payloads == 0)
            let third = PayloadKey.random()
            let last = try opened(test, third, earlier: new).store
            #expect(try await last.rekey { _ in }.payloads == 1 + names.count)
            let found = try await opened(test, third).store.notification(shared)
            #expect(found?.bytes == Array("sesame".utf8))
        },
        StorePromise("An interrupted key change continues") { test in
            let (old, new) = (PayloadKey.random(), PayloadKey.random())
            let before = try opened(test, old)
            for suffix in ["aaaaaa", "bbbbbb", "cccccc"] {
                try await before.stage(names, of: run(suffix), notification: secret(suffix))
            }
            let both = try opened(test, new, earlier: old)
            let first = Task {
                try await both.store.rekey { _ in
                    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                }
            }
            await #expect(throws: CancellationError.self) { try await first.value }
            let outdated = try opened(test, new).store
            #expect(await isRefused { try await outdated.checkPayloadKey() })
            let rest = try await both.store.rekey { _ in }
            #expect(rest.payloads == 2)
            #expect(rest.isComplete)
            try await opened(test, new).store.checkPayloadKey()
        },
        StorePromise(
            "Two opposite key changes at the same time leave no payload without a key"
        ) {
            test in
            let (old, new) = (PayloadKey.random(), PayloadKey.random())
            let before = try opened(test, old)
            var ids: [NotificationID] = []
            for suffix in ["aaaaaa", "bbbbbb", "cccccc"] {
                ids.append(
                    try await before.stage(names, of: run(suffix), notification: secret("sesame")))
            }
            let there = try opened(test, new, earlier: old)
            let back = try opened(test, old, earlier: new)
            // From now on, the store needs both keys.
            ids.append(
                try await there.stage(names, of: run("dddddd"), notification: secret("sesame")))
            async let first = there.store.rekey { _ in }
            async let second = back.store.rekey { _ in }
            let ends = try await [first, second]
            #expect(ends.contains { $0.isComplete })
            for key in [old, new] {
                let alone = try opened(test, key).store
                if await isRefused({ try await alone.checkPayloadKey() }) { continue }
                for id in ids {
                    #expect(try await alone.notification(id)?.bytes == Array("sesame".utf8))
                }
            }
        },
        StorePromise("The earlier key is kept while a run is being staged") { test in
            let (old, new) = (PayloadKey.random(), PayloadKey.random())
            let before = try opened(test, old)
            let run = run("aaaaaa")
            try await before.store.begin(run)
            try await before.store.store(secret("sesame"), of: run.id)
            let both = try opened(test, new, earlier: old)
            let rekeyed = try await both.store.rekey { _ in }
            #expect(rekeyed.payloads == 1)
            #expect(rekeyed.isStaging)
            #expect(!rekeyed.isComplete)
            let alone = try opened(test, new).store
            #expect(await isRefused { try await alone.checkPayloadKey() })
            try await both.store.append(names.map { StagedRecipient(username: $0) }, to: run.id)
            try await both.store.finishStaging(run.id, counts: AudienceCounts(final: names.count))
            let end = try await both.store.rekey { _ in }
            #expect(end.payloads == 0)
            #expect(end.isComplete)
            try await opened(test, new).store.checkPayloadKey()
        },
        StorePromise("A forgotten person is recognised after each key change") { test in
            let keys = (0..<3).map { _ in PayloadKey.random() }
            let first = try opened(test, keys[0])
            try await first.stage(names, of: run("aaaaaa"), notification: secret("sesame"))
            _ = try await first.store.forget(carol, at: Samples.start)
            for (old, new) in zip(keys, keys.dropFirst()) {
                let both = try opened(test, new, earlier: old).store
                #expect(try await both.forgotten(among: [carol, names[0]]) == [carol])
                #expect(try await both.rekey { _ in }.isComplete)
                let alone = try opened(test, new).store
                #expect(try await alone.forgotten(among: [carol, names[0]]) == [carol])
            }
            let last = try opened(test, keys[2]).store
            _ = try await last.forget(names[0], at: Samples.start + 1)
            #expect(try await last.forgotten(among: [carol] + names) == [carol, names[0]])
        },
        StorePromise("A store without encrypted payloads has nothing to re-encrypt") { test in
            let both = try opened(test, .random(), earlier: .random())
            #expect(try await both.store.rekey { _ in } == RekeyedPayloads())
            try await both.stage(names)
            #expect(try await both.store.rekey { _ in } == RekeyedPayloads())
        },
    ]
}
