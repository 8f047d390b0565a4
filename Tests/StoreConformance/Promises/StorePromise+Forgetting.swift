import CampaignCore
import FoundationEssentials
import Storage
import Testing

extension StorePromise {
    private static let run = Samples.runID()
    private static let carol = Username(checked: "carol-the-forgotten")
    private static let audience = ["alice", "bob", "carol-the-forgotten", "dave", "erin"]
        .map { Username(checked: $0) }

    package static let forgetting =
        [
            StorePromise("Responses to requests for several people do not name forgotten people") {
                test in
                let store = test.store
                try await test.stage(audience)
                _ = try await store.claimNext(run, platform: .apns, limit: 5)
                let said =
                    "400: username:carol-the-forgotten || username:carol-the-forgotten-2 are no"
                try await store.record(
                    (1...5).map { Samples.record($0, .apns, .ended(.rejected), detail: said) },
                    requests: 1, of: run)
                try await store.setState(
                    .paused, reason: "The hub refused (\(said)).", of: run,
                    at: Samples.start + 500)
                _ = try await store.forget(carol, at: Samples.start + 600)
                try await store.verify(run)
                let details = try await test.report().filter { $0.platform == .apns }.map(\.detail)
                let kept = "400: username: || username:carol-the-forgotten-2 are no"
                #expect(details == [kept, kept, "400: username:", kept, kept])
                let reason = try await store.run(run)?.reason
                #expect(reason == "The hub refused (\(kept)).")
            },
            StorePromise("Possible pushes to a forgotten person become unknown") { test in
                try await test.stage(audience)
                _ = try await test.store.claimNext(run, platform: .apns, limit: 3)
                try await test.store.record(
                    [Samples.record(2, .apns, .waiting)], requests: 1, of: run)
                _ = try await test.store.forget(audience[1], at: Samples.start + 60)
                _ = try await test.store.forget(audience[2], at: Samples.start + 60)
                let rows = try await test.report()
                    .filter { $0.recipient == .nameless && $0.platform == .apns }
                #expect(rows.map(\.outcome) == [.skipped, .unknown])
                #expect(rows.map(\.detail) == ["forgotten", "forgotten"])
                try await test.store.verify(run)
            },
            StorePromise("A person forgotten before their wave begins is not sent to") { test in
                let store = test.store
                try await test.stage(
                    inWavesOf: [2, 3], names: [2, 3, 0, 1, 4].map { audience[$0] })
                _ = try await store.claimNext(
                    run, platform: .apns, wave: 2, limit: 2, cap: nil, at: Samples.start)
                for person in [carol, audience[0]] {
                    #expect(try await store.forget(person, at: Samples.start + 60).runs == 1)
                    #expect(try await store.reportRows(run, of: person).isEmpty)
                }
                for page in [1, 2, 9] {
                    let report = try await test.report(page: page)
                    #expect(report.count == 10)
                    let gone = report.filter {
                        $0.recipient == .nameless && $0.platform == .apns
                    }
                    #expect(Set(gone.map(\.outcome)) == [.skipped, .unknown])
                    #expect(
                        report.filter { $0.platform == .fcm && $0.recipient != .nameless }
                            .map(\.recipient) == [1, 3, 4].map { audience[$0] })
                }
                try await store.verify(run)
            },
            StorePromise(
                "Forgetting people while pages are read neither misses nor repeats anybody"
            ) {
                test in
                let names = Samples.names(8)
                try await test.stage(
                    inWavesOf: [3, 2, 3], names: [1, 3, 6, 0, 4, 2, 5, 7].map { names[$0] })
                var (left, last) = ([Username](), 0)
                for _ in 0..<40 {
                    let page = try await test.store.people(
                        of: run, with: nil, fetched: nil, after: last, recipients: 1)
                    guard let number = page.last else { break }
                    left += page.people
                    last = number
                    // The next page begins after the person who was read last.
                    for read in page.people {
                        _ = try await test.store.forget(read, at: Samples.start)
                    }
                }
                #expect(left == names)
                #expect(
                    try await test.report(page: 3).map(\.recipient.text)
                        == Array(repeating: "", count: 16))
            },
            StorePromise("A forgotten person is recognised by name, and nobody else is") {
                test in
                #expect(try await test.store.forgotten(among: audience) == [])
                _ = try await test.store.forget(carol, at: Samples.start)
                _ = try await test.store.forget(carol, at: Samples.start + 1)
                _ = try await test.store.forget(audience[0], at: Samples.start)
                let other = try test.reopen()
                #expect(try await other.forgotten(among: audience) == [carol, audience[0]])
                #expect(try await other.forgotten(among: []) == [])
                #expect(try await other.forgotten(among: [audience[1]]) == [])
            },
            StorePromise("Forgetting waits for a campaign that is being sent") { test in
                try await test.stage(audience)
                let lock = try await test.store.campaignLock.acquire(campaign: "spring-sale")
                #expect(lock != nil)
                let other = try test.reopen()
                await #expect(throws: StoreError.locked(test.store.place)) {
                    try await other.forget(carol, at: Samples.start)
                }
                lock?.release()
            },
        ]
        + [["alice"], ["erin"], ["bob", "carol-the-forgotten", "dave"], ["alice", "bob"]].map {
            gone in
            StorePromise("Everybody but \(gone.joined(separator: ", ")) is found and sent to") {
                test in
                let store = test.store
                try await test.stage(audience)
                for name in gone {
                    _ = try await store.forget(Username(checked: name), at: Samples.start)
                }
                let left = audience.filter { !gone.contains($0.text) }
                for person in audience {
                    let rows = try await store.reportRows(run, of: person)
                    #expect(rows.isEmpty == gone.contains(person.text), "\(gone) \(person)")
                }
                let claims = try await store.claimNext(run, platform: .apns, limit: 9)
                #expect(claims.map(\.username) == left)
                let found = try await store.people(
                    of: run, with: nil, fetched: nil, after: 0, recipients: 9)
                #expect(found.people == left)
                let rest = try await store.unreached(
                    of: run, with: [.skipped, .notAttempted], after: 0, recipients: 9)
                #expect(rest.people.map(\.username) == left)
                try await store.endRemaining(
                    run, as: .failed, because: nil, detail: "over", at: Samples.start + 60)
                try await store.verify(run)
            }
        }
}
