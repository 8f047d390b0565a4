import CampaignCore
import FoundationEssentials
import Testing

extension StorePromise {
    private static let run = Samples.runID()

    package static let statistics = [
        StorePromise("Outcomes are counted by platform and add up to the deliveries") { test in
            try await test.stage(Samples.names(4))
            try await test.accept(1...2, of: run, on: .fcm)
            try await test.accept(1...1, of: run, on: .apns)
            try await test.store.record(
                [
                    Samples.record(2, .fcm, .ended(.rejected)),
                    Samples.record(3, .fcm, .waiting),
                ], requests: 2, of: run)
            #expect(
                try await test.reopen().platformOutcomes(run) == [
                    PlatformOutcomes(
                        .fcm, OutcomeCounts([.accepted: 1, .rejected: 1, .notAttempted: 2])),
                    PlatformOutcomes(.apns, OutcomeCounts([.accepted: 1, .notAttempted: 3])),
                ])
        },
        StorePromise("A person with several platforms counts once as attempted") { test in
            try await test.stage(Samples.names(5))
            #expect(try await test.store.peopleTried(run) == 0)
            try await test.accept(1...2, of: run, on: .fcm)
            try await test.accept(2...3, of: run, on: .apns)
            try await test.store.record(
                [
                    Samples.record(4, .apns, .ended(.skipped), attempts: 0, detail: "capped"),
                    Samples.record(5, .apns, .waiting),
                ], requests: 1, of: run)
            #expect(try await test.store.peopleTried(run) == 4)
        },
        StorePromise("A run's course counts pushes sent in each interval") { test in
            try await test.stage(Samples.names(6), of: Samples.run(platforms: [.apns]))
            #expect(try await test.store.course(run, steps: 60) == nil)
            _ = try await test.store.claimNext(run, platform: .apns, limit: 6)
            var records = (1...6).map { Samples.record($0, .apns, .ended(.accepted)) }
            // 08:00:00.25 and some seconds.
            for (place, seconds) in [0.0, 0.5, 9.75, 10.0, 119.0].enumerated() {
                records[place].recordedAt = Samples.start + seconds
            }
            records[3].state = .ended(.unknown)
            records[5].state = .ended(.skipped)
            records[5].recordedAt = Samples.start + 100_000
            try await test.store.record(records, requests: 6, of: run)
            let course = try #require(try await test.store.course(run, steps: 60))
            #expect(course.start == Date(timeIntervalSince1970: 1_796_112_000))
            #expect(course.length == 2)
            #expect(course.steps.count == 60)
            var expected = Array(repeating: OutcomeCounts(), count: 60)
            expected[0] = OutcomeCounts([.accepted: 2])
            expected[5] = OutcomeCounts([.accepted: 1, .unknown: 1])
            expected[59] = OutcomeCounts([.accepted: 1])
            #expect(course.steps == expected)
        },
        StorePromise("Runs are found by start time, in pages, newest first") { test in
            let suffixes = ["aaaaaa", "bbbbbb", "cccccc", "dddddd"]
            for (place, suffix) in suffixes.enumerated() {
                // The last two waves begin at the same time.
                let started = Samples.start + Double(min(place, 2)) * 3_600
                try await test.store.begin(
                    Samples.run(
                        suffix, campaign: place == 1 ? "other" : "spring-sale",
                        occurrence: Occurrence(checked: suffix), started: started))
            }
            func found(
                _ period: RunPeriod = RunPeriod(), campaign: String? = nil, page: Int = 9
            ) async throws -> [String] {
                var all: [RunRecord] = []
                while true {
                    let next = try await test.store.runs(
                        began: period, campaign: campaign, after: all.last?.id, limit: page)
                    all += next
                    if next.count < page { return all.map { String($0.id.text.suffix(1)) } }
                }
            }
            for page in 1...5 { #expect(try await found(page: page) == ["d", "c", "b", "a"]) }
            let second = Samples.start + 3_600
            #expect(try await found(RunPeriod(since: second)) == ["d", "c", "b"])
            #expect(try await found(RunPeriod(until: second)) == ["a"])
            #expect(try await found(RunPeriod(since: second, until: second + 0.001)) == ["b"])
            #expect(try await found(campaign: "spring-sale", page: 1) == ["d", "c", "a"])
            #expect(try await found(campaign: "nobodys") == [])
        },
    ]
}
