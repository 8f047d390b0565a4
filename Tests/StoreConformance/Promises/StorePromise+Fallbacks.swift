import CampaignCore
import FoundationEssentials
import Testing

extension StorePromise {
    private static let run = Samples.runID()
    private static let hub = HubIdentity(host: "local", name: "hub")

    private static func followable(
        at time: Date = Samples.start + 100, in store: any StoreUnderTest.Store
    ) async throws -> [RunID] {
        try await store.followable(campaign: "spring-sale", at: hub, now: time).map(\.id)
    }

    package static let fallbacks = [
        StorePromise("The store knows whether pushes were accepted after a given time") { test in
            try await test.stage(Samples.names(3))
            #expect(try await !test.store.hasAccepted(run, after: nil))
            _ = try await test.store.claimNext(run, platform: .fcm, limit: 3)
            try await test.store.record(
                [Samples.record(1, .fcm, .ended(.rejected))], requests: 1, of: run)
            #expect(try await !test.store.hasAccepted(run, after: nil))
            try await test.store.record(
                [Samples.record(2, .fcm, .ended(.accepted))], requests: 1, of: run)
            let store = try test.reopen()
            #expect(try await store.hasAccepted(run, after: nil))
            // Like all samples, it was recorded a minute after the start.
            #expect(try await store.hasAccepted(run, after: Samples.start + 59))
            #expect(try await !store.hasAccepted(run, after: Samples.start + 60))
        },
        StorePromise("The store knows whether anybody fetched, and reading does not count") {
            test in
            let names = Samples.names(3)
            let id = try await test.stage(names)
            let other = try await test.stage(names, of: Samples.run("others", campaign: "other"))
            try await test.receive(other, [.fetched], by: names[0])
            try await test.receive(id, [.read], by: names[1])
            #expect(try await !test.store.isFetched(run))
            try await test.receive(id, [.fetched], by: names[2])
            #expect(try await test.reopen().isFetched(run))
        },
        StorePromise("The progress of fallbacks is kept and never decreases") { test in
            try await test.stage(Samples.names(2))
            #expect(try await test.store.run(run)?.fallbackRequests == 0)
            for (requests, noted) in [(5, 5), (3, 5), (7, 7)] {
                try await test.store.noteFallback(of: run, requests: requests)
                #expect(try await test.reopen().run(run)?.fallbackRequests == noted)
            }
            try await test.store.verify(run)
        },
        StorePromise("A run can have a fallback while it can be fetched and reaches more people") {
            test in
            let names = Samples.names(2)
            try await test.stage(names)
            #expect(try await followable(in: test.store).isEmpty, "nothing was sent")
            try await test.accept(1...2, of: run)
            #expect(try await followable(in: test.store) == [run])
            #expect(try await followable(at: Samples.start + 604_800, in: test.store).isEmpty)
            try await test.store.noteFallback(of: run, requests: 2)
            #expect(try await followable(in: test.store).isEmpty)
            try await test.accept(1...1, of: run, on: .fcm)
            #expect(try await followable(in: test.reopen()) == [run])
            try await test.store.revoke(run, at: Samples.start + 90)
            #expect(try await followable(in: test.store).isEmpty)
        },
        StorePromise("Only runs of the same campaign and hub can have a fallback, earliest first") {
            test in
            let names = Samples.names(2)
            let again = Samples.run(
                "bbbbbb", occurrence: .again(Samples.runID("bbbbbb")), started: Samples.start + 5)
            let others = [
                Samples.run("cccccc", campaign: "other"),
                Samples.run("dddddd", hub: "elsewhere"),
                Samples.run("eeeeee", occurrence: .once, isRehearsal: true),
                Samples.run(
                    "ffffff", occurrence: .fallback(of: Samples.runID(), number: 1), kind: .alert),
            ]
            for run in [again, Samples.run()] + others {
                try await test.stage(names, of: run)
                try await test.accept(1...2, of: run.id)
            }
            #expect(try await followable(in: test.store) == [Samples.runID(), again.id])
        },
        StorePromise("A fallback skips only people who fetched after it was staged") {
            test in
            let names = Samples.names(4)
            let ids = try await test.stagePersonal(names)
            try await test.accept(1...4, of: run)
            let fallback = Samples.run(
                "ffffff", occurrence: .fallback(of: run, number: 1), kind: .alert)
            try await test.stage(Array(names[1...]), of: fallback)
            try await test.receive(ids[1], [.fetched], by: names[1])
            try await test.receive(ids[2], [.read], by: names[2])
            _ = try await test.store.revoke(ids[3], at: Samples.start + 90)
            let page = try await test.store.claimNext(
                fallback.id, platform: .fcm, limit: 4, cap: nil, at: Samples.start + 100)
            #expect(page.claims.map(\.username) == [names[2]])
            #expect(page.skipped == 2)
            let rows = try await test.report(fallback.id).filter { $0.outcome == .skipped }
            #expect(rows.map(\.recipient) == [names[1], names[3]])
            #expect(rows.map(\.detail) == [SkipReason.fetched, .revoked].map(\.rawValue))
        },
    ]
}
