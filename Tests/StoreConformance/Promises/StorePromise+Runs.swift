import CampaignCore
import FoundationEssentials
import Storage
import Testing

extension StorePromise {
    package static let runs = [
        StorePromise("A run is read back as it was started") { test in
            let run = Samples.run()
            try await test.store.begin(run)
            let other = try test.reopen()
            #expect(try await other.run(run.id) == run)
            #expect(
                try await other.run(hub: run.hub, campaign: run.campaign, occurrence: .once) == run)
        },
        StorePromise("A run keeps its plan and its starter through every change") { test in
            var run = Samples.run()
            run.plan = PlanID("k3v7qaabcd2x")
            run.starter = RunStarter(user: "push", sudoUser: "ann", host: "mail-1")
            try await test.store.begin(run)
            try await test.store.finishStaging(run.id, counts: AudienceCounts())
            try await test.store.setState(.paused, reason: "why", of: run.id, at: Samples.start)
            let other = try test.reopen()
            let kept = try await other.run(run.id)
            #expect(kept?.plan == run.plan)
            #expect(kept?.starter == run.starter)
            try await other.verify(run.id)
            let plain = Samples.run("bbbbbb", campaign: "other")
            try await other.begin(plain)
            #expect(try await other.run(plain.id)?.plan == nil)
        },
        StorePromise("Looking up an unknown run returns nil") { test in
            let hub = HubIdentity(host: "local", name: "hub")
            let run = try await test.store.run(Samples.runID())
            let sending = try await test.store.run(hub: hub, campaign: "a", occurrence: .once)
            #expect(run == nil)
            #expect(sending == nil)
            #expect(try await test.store.runs(campaign: nil, limit: 10).isEmpty)
        },
        StorePromise("An occurrence is started once per hub and campaign") { test in
            try await test.store.begin(Samples.run("aaaaaa"))
            await #expect(
                throws: StoreError.runExists(campaign: "spring-sale", occurrence: .once)
            ) {
                try await test.store.begin(Samples.run("bbbbbb"))
            }
            try await test.store.begin(Samples.run("cccccc", hub: "production"))
            try await test.store.begin(Samples.run("dddddd", campaign: "summer-sale"))
            let again = Occurrence.again(Samples.runID("eeeeee"))
            try await test.store.begin(Samples.run("eeeeee", occurrence: again))
            #expect(try await test.store.runs(campaign: nil, limit: 10).count == 4)
        },
        StorePromise("A run that is still being staged is restarted under its ID") { test in
            let run = Samples.run("aaaaaa")
            try await test.store.begin(run)
            try await test.store.append(
                [StagedRecipient(username: try Username("alice"), notification: nil)], to: run.id)
            try await test.store.requestStop(run.id, .resumable)
            try await test.store.clearStaging(run.id)
            var changed = run
            changed.platforms = [.wns]
            changed.started += 60
            try await test.store.begin(changed)
            #expect(try await test.store.run(run.id) == changed)
            #expect(try await test.store.stopRequest(run.id) == .resumable)
            #expect(try await test.store.runs(campaign: nil, limit: 10).count == 1)
            try await test.store.finishStaging(run.id, counts: AudienceCounts())
            await #expect(
                throws: StoreError.runExists(campaign: "spring-sale", occurrence: .once)
            ) {
                try await test.store.begin(run)
            }
        },
        StorePromise("A rehearsal does not count as an occurrence") { test in
            let occurrence = Occurrence.rehearsal(Samples.runID("aaaaaa"))
            let rehearsal = Samples.run("aaaaaa", occurrence: occurrence, isRehearsal: true)
            try await test.store.begin(rehearsal)
            #expect(
                try await test.store.run(
                    hub: rehearsal.hub, campaign: rehearsal.campaign, occurrence: occurrence) == nil
            )
            #expect(try await test.store.run(rehearsal.id) == rehearsal)
        },
        StorePromise("Runs are listed newest first, for one campaign or for all") { test in
            let runs = ["aaaaaa", "bbbbbb", "cccccc"].enumerated().map { index, suffix in
                Samples.run(
                    suffix, campaign: index == 1 ? "other" : "spring-sale",
                    occurrence: .again(Samples.runID(suffix)),
                    started: Samples.start + Double(index))
            }
            for run in runs { try await test.store.begin(run) }
            let all = try await test.store.runs(campaign: nil, limit: 2)
            #expect(all == [runs[2], runs[1]])
            let some = try await test.store.runs(campaign: "spring-sale", limit: 10)
            #expect(some == [runs[2], runs[0]])
        },
        StorePromise("Only paused runs keep a reason, and only finished runs an end") { test in
            let run = Samples.run()
            try await test.store.begin(run)
            let time = Samples.start + 30
            try await test.store.setState(.paused, reason: "The hub is away.", of: run.id, at: time)
            var read = try #require(try await test.store.run(run.id))
            #expect(read.state == .paused)
            #expect(read.reason == "The hub is away.")
            #expect(read.finished == nil)
            try await test.store.setState(.finished, reason: "no", of: run.id, at: time)
            read = try #require(try await test.reopen().run(run.id))
            #expect(read.state == .finished)
            #expect(read.reason == nil)
            #expect(read.finished == time)
        },
        StorePromise("Only paused runs keep whether they continue by themselves") { test in
            let run = Samples.run()
            try await test.store.begin(run)
            try await test.store.finishStaging(run.id, counts: AudienceCounts())
            for pause in RunPause.allCases {
                try await test.store.setState(
                    .paused, reason: "why", pause: pause, of: run.id, at: Samples.start)
                let other = try test.reopen()
                #expect(try await other.run(run.id)?.pause == pause)
                try await other.verify(run.id)
            }
            try await test.store.setState(
                .running, reason: nil, pause: .passing, of: run.id, at: Samples.start)
            #expect(try await test.reopen().run(run.id)?.pause == nil)
        },
        StorePromise(
            "A schedule is known from when it is first seen, and a changed one counts as new"
        ) {
            test in
            let hub = HubIdentity(host: "local", name: "hub")
            let other = HubIdentity(host: "local", name: "other")
            let (nine, eight) = ("0 9 * * * UTC", "0 8 * * * UTC")
            let sights: [(String, String, HubIdentity, Double, expected: Double)] = [
                (nine, "a", hub, 10, 10), (nine, "a", hub, 70, 10), (nine, "b", hub, 80, 80),
                (nine, "a", other, 90, 90),
                // A clock that is set back.
                (nine, "a", hub, 5, 5), (nine, "a", hub, 95, 5),
                (eight, "a", hub, 100, 100), (nine, "a", hub, 110, 110),
            ]
            for (schedule, campaign, hub, seconds, expected) in sights {
                let sight = try await test.reopen().firstSight(
                    of: schedule, campaign: campaign, at: hub, now: Samples.start + seconds)
                #expect(sight == Samples.start + expected)
            }
        },
        StorePromise("A store's start is recorded once, no later than its oldest run") {
            test in
            let hub = HubIdentity(host: "local", name: "hub")
            let sight = Samples.start + 100
            _ = try await test.store.firstSight(
                of: "0 9 * * * UTC", campaign: "a", at: hub, now: sight)
            #expect(try await test.store.began(now: Samples.start + 200) == sight)
            _ = try await test.store.firstSight(
                of: "0 8 * * * UTC", campaign: "a", at: hub, now: Samples.start + 300)
            #expect(try await test.reopen().began(now: Samples.start + 400) == sight)
            // A clock that is set back.
            #expect(try await test.store.began(now: Samples.start + 50) == Samples.start + 50)
        },
        StorePromise("Runs that do not match do not shorten a search for runs") { test in
            let store = test.store
            let hub = HubIdentity(host: "local", name: "hub")
            let plan = try #require(PlanID(String(repeating: "a", count: PlanID.length)))
            func begin(
                _ number: Int, _ occurrence: Occurrence, hub: String = "local",
                isRehearsal: Bool = false, plan: PlanID? = nil, isFinished: Bool = true
            ) async throws -> RunID {
                let letters = [number / 25, number % 25].map { UnicodeScalar(UInt8(97 + $0)) }
                var run = Samples.run(
                    "aaaa" + letters.map(String.init).joined(), campaign: "spring",
                    occurrence: occurrence, isRehearsal: isRehearsal, hub: hub,
                    started: Samples.start + Double(number))
                run.plan = plan
                try await store.begin(run)
                if isFinished {
                    try await store.setState(
                        .finished, reason: nil, of: run.id, at: Samples.start + Double(number))
                }
                return run.id
            }
            let planned = try await begin(1, .once, plan: plan)
            let fallback = try await begin(2, .fallback(of: planned, number: 1))
            let key = Occurrence(checked: "fallback-by-hand")
            let named = try await begin(3, key)
            let open = try await begin(4, Occurrence(checked: "open"), isFinished: false)
            for number in 5..<25 {
                _ = try await begin(number, Occurrence(checked: "try-\(number)"), isRehearsal: true)
                _ = try await begin(
                    100 + number, Occurrence(checked: "other-\(number)"), hub: "other")
            }
            func found(_ change: (inout RunSearch) -> Void) async throws -> [RunID] {
                var search = RunSearch(of: "spring", at: hub)
                change(&search)
                return try await test.reopen().runs(search).map(\.id)
            }
            #expect(try await found { _ in } == [open, named, planned])
            #expect(try await found { $0.limit = 1 } == [open])
            #expect(try await found { ($0.states, $0.limit) = ([.finished], 1) } == [named])
            #expect(try await found { ($0.plan, $0.limit) = (plan, 1) } == [planned])
            #expect(try await found { $0.occurrence = key } == [named])
            #expect(try await found { $0.kind = .fallback(of: planned) } == [fallback])
            #expect(try await found { $0.endedAfter = Samples.start + 2 } == [open, named])
            #expect(try await found { $0.startedFrom = Samples.start + 3 } == [open, named])
            #expect(try await store.runs(.unfinished(of: "spring")).last?.id == open)
            #expect(try await store.runs(.unfinished(of: nil)).count == 1)
            var any = RunSearch(of: nil, at: hub)
            any.kind = .any
            #expect(try await store.runs(any).count == 24)
            var anywhere = RunSearch(of: "spring", at: nil)
            anywhere.occurrence = Occurrence(checked: "other-7")
            #expect(try await store.runs(anywhere).count == 1)
            #expect(try await store.runs(RunSearch(of: "autumn", at: hub)).isEmpty)
        },
        StorePromise("A sent run is found among over a thousand runs of its campaign") {
            test in
            let plan = try #require(PlanID(String(repeating: "a", count: PlanID.length)))
            let hub = Samples.run().hub
            func run(_ number: Int, _ occurrence: Occurrence) -> RunRecord {
                let letters = [number / 400, number / 20 % 20, number % 20]
                    .map { String(UnicodeScalar(UInt8(97 + $0))) }
                return Samples.run(
                    "aaa" + letters.joined(), occurrence: occurrence,
                    started: Samples.start + Double(number))
            }
            let key = Occurrence(checked: "march")
            var planned = run(0, key)
            planned.plan = plan
            let fallback = run(1, .fallback(of: planned.id, number: 1))
            for sent in [planned, fallback] {
                try await test.store.begin(sent)
                try await test.store.setState(
                    .finished, reason: nil, of: sent.id, at: Samples.start)
            }
            let later = (2..<1_010).map { run($0, Occurrence(checked: "minute-\($0)")) }
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for first in 0..<8 {
                    tasks.addTask {
                        for number in stride(from: first, to: later.count, by: 8) {
                            try await test.store.begin(later[number])
                        }
                    }
                }
                try await tasks.waitForAll()
            }
            func found(_ change: (inout RunSearch) -> Void) async throws -> [RunID] {
                var search = RunSearch(of: planned.campaign, at: hub)
                (search.states, search.limit) = ([.finished], 1)
                change(&search)
                return try await test.store.runs(search).map(\.id)
            }
            #expect(try await found { $0.plan = plan } == [planned.id])
            #expect(try await found { $0.occurrence = key } == [planned.id])
            #expect(try await found { $0.kind = .fallback(of: planned.id) } == [fallback.id])
            #expect(try await found { _ in } == [planned.id])
            #expect(try await found { $0.states.insert(.staging) } == [later[1_007].id])
            let all = try await test.store.runs(RunSearch(of: planned.campaign, at: hub))
            #expect(all.count == 1_009)
            let occurrence = try await test.store.run(
                hub: hub, campaign: planned.campaign, occurrence: key)
            #expect(occurrence?.id == planned.id)
        },
        StorePromise("Others see a stop request until it is cleared") { test in
            let run = Samples.run()
            try await test.store.begin(run)
            let other = try test.reopen()
            #expect(try await other.stopRequest(run.id) == nil)
            try await test.store.requestStop(run.id, .resumable)
            #expect(try await other.stopRequest(run.id) == .resumable)
            try await other.clearStopRequest(run.id)
            #expect(try await test.store.stopRequest(run.id) == nil)
        },
        StorePromise("The delivery policy can be replaced") { test in
            let run = Samples.run()
            try await test.store.begin(run)
            let policy = DeliveryPolicy(
                rate: nil, concurrency: 7, retry: RetryLimits(attempts: 9, duration: .seconds(3)))
            try await test.store.setDelivery(policy, of: run.id)
            #expect(try await test.store.run(run.id)?.delivery == policy)
        },
        StorePromise("Changing an unknown run is an error") { test in
            let missing = Samples.runID("zzzzzz")
            let error = StoreError.noSuchRun(missing)
            let store = test.store
            await #expect(throws: error) { try await store.requestStop(missing, .resumable) }
            await #expect(throws: error) { try await store.stopRequest(missing) }
            await #expect(throws: error) {
                let alice = StagedRecipient(username: Username(checked: "alice"))
                try await store.append([alice], to: missing)
            }
            await #expect(throws: error) { try await store.record([], requests: 0, of: missing) }
            await #expect(throws: error) { try await store.outcomes(missing) }
            await #expect(throws: error) {
                try await store.claimNext(missing, platform: .apns, limit: 1)
            }
        },
    ]
}
