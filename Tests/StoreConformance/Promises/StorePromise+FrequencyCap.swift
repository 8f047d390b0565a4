import CampaignCore
import FoundationEssentials
import Testing

extension StorePromise {
    private static let cap = FrequencyCap(pushes: 1, period: .seconds(3_600))
    /// The time half an hour after the other run's records.
    private static let later = Samples.start + 60 + 1_800

    /// Another campaign's run, to the people with even numbers out of ten.
    private static func stageOther(
        _ test: StoreUnderTest, hub: String = "local", isRehearsal: Bool = false
    ) async throws -> RunID {
        let run = Samples.run(
            "others", campaign: "winter-sale", isRehearsal: isRehearsal, hub: hub,
            started: Samples.start - 40_000)
        let even = Samples.names(10).enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        try await test.stage(even, of: run)
        return run.id
    }

    private static func push(
        _ test: StoreUnderTest, _ run: RunID, as state: DeliveryRecord.State,
        isUncertain: Bool = false, on platform: Platform = .apns
    ) async throws {
        _ = try await test.store.claimNext(run, platform: platform, limit: 5)
        try await test.store.record(
            (1...5).map { Samples.record($0, platform, state, isUncertain: isUncertain) },
            requests: 5, of: run)
    }

    private static func claimed(
        _ test: StoreUnderTest, cap: FrequencyCap? = cap, at time: Date = later
    ) async throws -> ClaimedPage {
        try await test.stage(Samples.names(10))
        return try await test.store.claimNext(
            Samples.runID(), platform: .apns, limit: 10, cap: cap, at: time)
    }

    package static let frequencyCaps = [
        StorePromise("People who reached the cap are skipped in the same claim") { test in
            try await push(test, stageOther(test), as: .ended(.accepted))
            let page = try await claimed(test)
            #expect(page.claims.map(\.number) == [1, 3, 5, 7, 9])
            #expect(page.skipped == 5)
            let rows = try await test.report().filter { $0.platform == .apns }
            let skipped = rows.filter { $0.outcome == .skipped }
            #expect(
                skipped.map(\.recipient)
                    == Samples.names(10).enumerated()
                    .filter { $0.offset % 2 == 1 }.map(\.element))
            #expect(skipped.allSatisfy { $0.detail == "capped: 1 push per 1h" })
            #expect(skipped.allSatisfy { $0.recordedAt == later && $0.attempts == 0 })
            let again = try await test.store.claimNext(
                Samples.runID(), platform: .apns, limit: 10, cap: cap, at: later)
            #expect(again.isEmpty)
        },
        StorePromise("A page is filled with the people after those who reached the cap") { test in
            try await push(test, stageOther(test), as: .ended(.accepted))
            try await test.stage(Samples.names(20))
            let page = try await test.store.claimNext(
                Samples.runID(), platform: .apns, limit: 8, cap: cap, at: later)
            #expect(page.claims.map(\.number) == [1, 3, 5, 7, 9, 11, 12, 13])
            #expect(page.skipped == 5)
            let rest = try await test.store.claimNext(
                Samples.runID(), platform: .apns, limit: 99, cap: cap, at: later)
            #expect(rest.claims.map(\.number) == Array(14...20))
            try await test.store.verify(Samples.runID())
        },
        StorePromise("Counting the people who would be skipped claims nothing") {
            test in
            try await push(test, stageOther(test), as: .ended(.accepted))
            try await test.stage(Samples.names(10))
            let hub = try #require(try await test.store.run(Samples.runID())).hub
            let fresh = try await test.store.unclaimed(
                Samples.runID(), platform: .apns, after: 0, limit: 4)
            #expect(fresh.people == Array(Samples.names(10).prefix(4)))
            let rest = try await test.store.unclaimed(
                Samples.runID(), platform: .apns, after: fresh.last, limit: 100)
            #expect(rest.people == Array(Samples.names(10).dropFirst(4)))
            for besides in [nil, Samples.runID()] {
                let counted = try await test.store.capped(
                    Samples.names(10), on: .apns, at: hub, besides: besides, by: cap, at: later)
                #expect(counted == 5)
                let elsewhere = try await test.store.capped(
                    Samples.names(10), on: .fcm, at: hub, besides: besides, by: cap, at: later)
                #expect(elsewhere == 0)
            }
            let page = try await test.store.claimNext(
                Samples.runID(), platform: .apns, limit: 3, cap: cap, at: later)
            #expect(page.skipped == 2)
            let left = try await test.store.unclaimed(
                Samples.runID(), platform: .apns, after: 0, limit: 100)
            #expect(left.people == Array(Samples.names(10).dropFirst(5)))
        },
        StorePromise("People whose own payload was revoked are skipped, with or without a cap") {
            test in
            for (index, limit) in [nil, FrequencyCap(pushes: 9, period: .seconds(60))].enumerated()
            {
                let run = Samples.run("aaaaa\(["a", "b"][index])", campaign: "own-\(index)")
                let own = try await test.stagePersonal(Samples.names(5), of: run)
                #expect(try await test.store.revoke(own[1], at: Samples.start))
                let page = try await test.store.claimNext(
                    run.id, platform: .apns, limit: 3, cap: limit, at: later)
                #expect(page.skipped == 1)
                #expect(page.claims.map(\.number) == (limit == nil ? [1, 3] : [1, 3, 4]))
                let rows = try await test.store.reportRows(run.id, of: Samples.names(5)[1])
                let row = rows.first { $0.platform == .apns }
                #expect(row?.outcome == .skipped)
                #expect(row?.detail == "revoked")
                let rest = try await test.store.claimNext(
                    run.id, platform: .apns, limit: 9, cap: limit, at: later)
                #expect(rest.claims.map(\.number) == (limit == nil ? [4, 5] : [5]))
            }
        },
        StorePromise("Pushes that may have been sent count against the cap") { test in
            let other = try await stageOther(test)
            try await push(test, other, as: .waiting, isUncertain: true)
            #expect(try await claimed(test).skipped == 5)
        },
        StorePromise("Pushes that another process is sending count against the cap") { test in
            let other = try await stageOther(test)
            try await push(test, other, as: .ended(.accepted), on: .fcm)
            _ = try await test.store.claimNext(other, platform: .apns, limit: 3)
            try await test.store.record(
                [Samples.record(1, .apns, .ended(.rejected))], requests: 1, of: other)
            #expect(try await claimed(test).skipped == 2)
        },
        StorePromise("A push that was never sent does not count against the cap") { test in
            let other = try await stageOther(test)
            try await push(test, other, as: .ended(.rejected))
            let page = try await claimed(test)
            #expect(page.claims.count == 10)
            #expect(page.skipped == 0)
        },
        StorePromise("Pushes before the cap's period do not count") { test in
            let other = try await stageOther(test)
            try await push(test, other, as: .ended(.accepted))
            _ = try await test.store.setState(
                .finished, reason: nil, of: other, at: Samples.start + 61)
            #expect(try await claimed(test, at: Samples.start + 60 + 3_601).skipped == 0)
        },
        StorePromise("An old crash does not count against the cap indefinitely") { test in
            let other = try await stageOther(test)
            _ = try await test.store.claimNext(
                other, platform: .apns, limit: 5, at: Samples.start - 40_000)
            #expect(try await claimed(test).skipped == 0)
        },
        StorePromise("A push that is waiting for its next attempt counts against the cap") { test in
            try await push(test, stageOther(test), as: .waiting)
            #expect(try await claimed(test).skipped == 5)
        },
        StorePromise("An old run that continues now counts against the cap") { test in
            let other = try await stageOther(test)
            _ = try await test.store.claimNext(
                other, platform: .apns, limit: 2, at: Samples.start - 40_000)
            var old = Samples.record(1, .apns, .waiting)
            old.recordedAt = Samples.start - 40_000
            try await test.store.record([old], requests: 1, of: other)
            #expect(try await claimed(test, at: Samples.start).skipped == 0)
            try await test.store.claimAgain(
                other, platform: .apns, numbers: [1], at: Samples.start + 60)
            try await test.stage(
                Samples.names(10), of: Samples.run("second", campaign: "autumn-sale"))
            let page = try await test.store.claimNext(
                Samples.runID("second"), platform: .apns, limit: 10, cap: cap, at: later)
            #expect(page.skipped >= 1)
        },
        StorePromise("A run that is being staged does not count against the cap") { test in
            let other = Samples.run("others", campaign: "winter-sale")
            try await test.store.begin(other)
            try await test.store.store(Samples.notification(), of: other.id)
            try await test.store.append(
                Samples.names(10_000).map { StagedRecipient(username: $0) }, to: other.id)
            #expect(try await claimed(test).claims.count == 10)
        },
        StorePromise("A few people are looked up one by one in another run") { test in
            let other = Samples.run("others", campaign: "winter-sale")
            try await test.stage(Samples.names(2_000), of: other)
            _ = try await test.store.claimNext(other.id, platform: .apns, limit: 1_000)
            let names = Samples.names(2_000)
            try await test.stage([names[0], names[998], names[999], names[1_000], names[1_999]])
            let page = try await test.store.claimNext(
                Samples.runID(), platform: .apns, limit: 10, cap: cap, at: later)
            #expect(page.claims.map(\.username) == [names[1_000], names[1_999]])
            #expect(page.skipped == 3)
        },
        StorePromise("A claim returns the requested number of people, not counting skipped ones") {
            test in
            try await push(test, stageOther(test), as: .ended(.accepted))
            try await test.stage(Samples.names(10))
            let first = try await test.store.claimNext(
                Samples.runID(), platform: .apns, limit: 2, cap: cap, at: later)
            #expect(first.claims.map(\.number) == [1, 3])
            #expect(first.skipped == 1)
            let second = try await test.store.claimNext(
                Samples.runID(), platform: .apns, limit: 9, cap: cap, at: later)
            #expect(second.claims.map(\.number) == [5, 7, 9])
            #expect(second.skipped == 4)
        },
        StorePromise("Another platform's pushes do not count against the cap") {
            test in
            try await push(test, stageOther(test), as: .ended(.accepted), on: .fcm)
            #expect(try await claimed(test).skipped == 0)
        },
        StorePromise("Another hub's pushes do not count against the cap") { test in
            try await push(test, stageOther(test, hub: "other"), as: .ended(.accepted))
            #expect(try await claimed(test).skipped == 0)
        },
        StorePromise("A rehearsal's pushes do not count against the cap") { test in
            try await push(test, stageOther(test, isRehearsal: true), as: .ended(.accepted))
            #expect(try await claimed(test).skipped == 0)
        },
        StorePromise("A cap of two allows the second push") { test in
            try await push(test, stageOther(test), as: .ended(.accepted))
            let two = FrequencyCap(pushes: 2, period: .seconds(3_600))
            #expect(try await claimed(test, cap: two).claims.count == 10)
        },
    ]
}
