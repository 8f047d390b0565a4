import CampaignCore
import FoundationEssentials
import Testing

extension StorePromise {
    private static let names = Samples.names(3)
    private static let file = PayloadFile(
        path: "logo.png", mediaType: "image/png", bytes: Array("the logo".utf8))
    /// A second after the samples' payloads expire.
    private static let later = Samples.start + 604_801

    /// A run whose payload expires ten days later than the others'.
    private static func lasting(_ suffix: String = "lasted") -> RunRecord {
        var run = Samples.run(suffix, campaign: suffix)
        run.expires += 864_000
        return run
    }

    package static let purging = [
        StorePromise("A purge deletes only the content of expired payloads") { test in
            let ids = try await test.stagePersonal(names, of: Samples.run(platforms: [.apns]))
            try await test.accept(1...3, of: Samples.runID())
            try await test.receive(ids[0], [.fetched, .read], by: names[0])
            let (before, reach) = (
                try await test.report(), try await test.store.reach(Samples.runID())
            )
            let counts = try await test.store.purge(at: later, isDryRun: false)
            #expect(counts.notifications == 3)
            #expect(counts.bytes > 60)
            let other = try test.reopen()
            let received = try #require(try await other.notification(ids[0], for: names[0]))
            #expect(received.notification.bytes == nil)
            #expect(received.notification.texts.message == nil)
            #expect(received.notification.mediaType == "text/plain")
            #expect(received.notification.expires < later)
            #expect(received.fetched == Samples.start + 120)
            #expect(try await other.notification(ids[0], for: names[1]) == nil)
            #expect(try await test.report() == before)
            #expect(try await other.reach(Samples.runID()) == reach)
            let list = try await other.overviews(run: nil, after: nil, limit: 9)
            #expect(list.map(\.byteCount) == [nil, nil, nil])
            #expect(list.allSatisfy { $0.isEncrypted })
        },
        StorePromise("A purge keeps payloads until the moment they expire") { test in
            let id = try await test.stage(names)
            let early = try await test.store.purge(at: later - 2, isDryRun: false)
            #expect(early == PurgeCounts())
            let received = try await test.store.notification(id, for: names[0])
            #expect(received?.notification.bytes == Array("the content".utf8))
            let due = try await test.store.purge(at: later - 1, isDryRun: false)
            #expect(due.notifications == 1)
        },
        StorePromise("A dry run counts what a purge would free, and frees nothing") { test in
            try await test.stagePersonal(names, file: file)
            try await test.stage(
                names, of: lasting(), notification: Samples.notification(content: .file(file)))
            let taken = try await test.stage(names, of: lasting("takenn"))
            try await test.stage(
                names, of: Samples.run("cccccc", campaign: "c"),
                notification: Samples.notification("Hi", content: .text("x", mediaType: "a/b")))
            #expect(try await test.store.revoke(taken, at: Samples.start))
            let expected = try await test.store.purge(at: later, isDryRun: true)
            #expect(try await test.store.purge(at: later, isDryRun: true) == expected)
            #expect(expected.notifications == 5)
            #expect(try await test.store.purge(at: later, isDryRun: false) == expected)
            let again = try await test.store.purge(at: later, isDryRun: false)
            #expect(again == PurgeCounts())
        },
        StorePromise("A file is kept while any unexpired run shares it") { test in
            try await test.stage(
                names, notification: Samples.notification("", content: .file(file)))
            let kept = try await test.stage(
                names, of: lasting(), notification: Samples.notification("", content: .file(file)))
            let first = try await test.store.purge(at: later, isDryRun: false)
            #expect(first == PurgeCounts(notifications: 1, bytes: 0))
            let received = try await test.store.notification(kept, for: names[0])
            #expect(received?.notification.bytes == file.bytes)
            let second = try await test.store.purge(at: later + 864_000, isDryRun: false)
            #expect(second == PurgeCounts(notifications: 1, bytes: 8))
        },
        StorePromise("A revoked payload is deleted before it expires") { test in
            let ids = try await test.stagePersonal(names)
            let whole = try await test.stage(names, of: Samples.run("bbbbbb", campaign: "b"))
            #expect(try await test.store.revoke(ids[1], at: Samples.start))
            try await test.store.revoke(Samples.runID("bbbbbb"), at: Samples.start)
            let counts = try await test.store.purge(at: Samples.start + 1, isDryRun: false)
            #expect(counts.notifications == 2)
            #expect(try await test.store.notification(ids[1])?.bytes == nil)
            #expect(try await test.store.notification(whole)?.bytes == nil)
            #expect(try await test.store.notification(ids[0])?.bytes != nil)
        },
        StorePromise("A visible message is kept while its run may send it") { test in
            let run = Samples.run(kind: .alert)
            let id = try await test.stage(
                names, of: run,
                notification: Samples.notification("Down at 8", type: nil, content: .none))
            #expect(try await test.store.revoke(id, at: Samples.start))
            let early = try await test.store.purge(at: Samples.start + 1, isDryRun: false)
            #expect(early == PurgeCounts())
            let claims = try await test.store.claimNext(run.id, platform: .apns, limit: 1)
            #expect(claims.map(\.pushed.texts.message) == ["Down at 8"])
            try await test.store.setState(.finished, reason: nil, of: run.id, at: Samples.start)
            let counts = try await test.store.purge(at: Samples.start + 1, isDryRun: false)
            #expect(counts == PurgeCounts(notifications: 1, bytes: 9))
        },
        StorePromise("A large run is purged completely") { test in
            let everyone = Samples.names(11_000)
            let ids = try await test.stagePersonal(everyone, of: Samples.run(platforms: [.apns]))
            let counts = try await test.store.purge(at: later, isDryRun: false)
            #expect(counts.notifications == 11_000)
            for index in [0, 4_999, 5_000, 10_999] {
                let received = try await test.store.notification(ids[index], for: everyone[index])
                #expect(received != nil)
                #expect(received?.notification.bytes == nil)
            }
        },
    ]
}
