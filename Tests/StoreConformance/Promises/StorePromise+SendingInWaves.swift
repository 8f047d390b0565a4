import CampaignCore
import FoundationEssentials
import Storage
import Testing

extension StorePromise {
    private static let run = Samples.runID()

    package static let sendingInWaves = [
        StorePromise("Each wave and each platform in it is claimed separately") { test in
            try await test.stage(inWavesOf: [4, 3])
            let claim = { (platform: Platform, wave: Int, limit: Int) in
                try await test.store.claimNext(
                    run, platform: platform, wave: wave, limit: limit
                ).map(\.number)
            }
            #expect(try await claim(.apns, 1, 2) == [1, 2])
            // The next wave begins while the first is half done.
            #expect(try await claim(.apns, 2, 2) == [5, 6])
            #expect(try await claim(.apns, 1, 9) == [3, 4])
            #expect(try await claim(.apns, 1, 9) == [])
            #expect(try await claim(.fcm, 2, 9) == [5, 6, 7])
            let other = try test.reopen()
            let first = try await other.claimNext(run, platform: .fcm, wave: 1, limit: 1)
            #expect(first.map(\.number) == [1])
            let last = try await other.claimNext(run, platform: .apns, wave: 2, limit: 9)
            #expect(last.map(\.number) == [7])
            #expect(try await claim(.fcm, 1, 9) == [2, 3, 4])
            #expect(try await claim(.fcm, 2, 9) == [])
            try await other.verify(run)
        },
        StorePromise("Processes that claim in a wave at the same time get different deliveries") {
            test in
            try await test.stage(inWavesOf: [100, 2_000])
            let stores = try (0..<3).map { _ in try test.reopen() }
            let numbers = try await withThrowingTaskGroup(of: [Int].self) { group in
                for store in stores {
                    group.addTask {
                        var mine: [Int] = []
                        while true {
                            let page = try await store.claimNext(
                                run, platform: .fcm, wave: 2, limit: 70)
                            if page.isEmpty { return mine }
                            mine += page.map(\.number)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(numbers.sorted() == Array(101...2_100))
            try await test.store.verify(run)
        },
        StorePromise("Claiming a wave that the run does not have is an error") { test in
            try await test.stage(inWavesOf: [2, 3])
            for wave in [nil, 0, 3] {
                await #expect(throws: StoreError.foreignWave(run)) {
                    try await test.store.claimNext(
                        run, platform: .apns, wave: wave, limit: 1, cap: nil, at: Samples.start)
                }
            }
            let plain = Samples.run("bbbbbb", campaign: "other")
            try await test.stage(Samples.names(3), of: plain)
            await #expect(throws: StoreError.foreignWave(plain.id)) {
                try await test.store.claimNext(plain.id, platform: .apns, wave: 1, limit: 1)
            }
        },
        StorePromise("Claimed deliveries of several waves without a record are interrupted") {
            test in
            try await test.stage(inWavesOf: [4, 3, 2])
            _ = try await test.store.claimNext(run, platform: .apns, wave: 1, limit: 3)
            _ = try await test.store.claimNext(run, platform: .apns, wave: 2, limit: 2)
            _ = try await test.store.claimNext(run, platform: .fcm, wave: 2, limit: 1)
            try await test.store.record(
                [
                    Samples.record(2, .apns, .ended(.accepted)),
                    Samples.record(6, .apns, .waiting, attempts: 3),
                ], requests: 2, of: run)
            // The process is killed here.
            let after = try test.reopen()
            try await after.verify(run)
            let interrupted = { (platform: Platform, number: Int, limit: Int) in
                try await after.interrupted(run, platform: platform, after: number, limit: limit)
            }
            let found = try await interrupted(.apns, 0, 10)
            #expect(found.map(\.number) == [1, 3, 5])
            #expect(found.map(\.username) == [0, 2, 4].map { Samples.names(9)[$0] })
            #expect(found.allSatisfy { $0.isUncertain && $0.attempts == 1 })
            #expect(try await interrupted(.apns, 0, 2).map(\.number) == [1, 3])
            #expect(try await interrupted(.apns, 1, 2).map(\.number) == [3, 5])
            #expect(try await interrupted(.apns, 3, 9).map(\.number) == [5])
            #expect(try await interrupted(.apns, 5, 9).isEmpty)
            #expect(try await interrupted(.fcm, 0, 9).map(\.number) == [5])

            let waiting = try await after.waiting(run, platform: .apns, after: 0, limit: 9)
            #expect(waiting.map(\.number) == [6])
            try await after.claimAgain(run, platform: .apns, numbers: [6], at: Samples.start)
            let again = try await interrupted(.apns, 0, 10)
            #expect(again.map(\.number) == [1, 3, 5, 6])
            #expect(again.map(\.attempts) == [1, 1, 1, 4])
            // No delivery is claimed twice.
            let next = try await after.claimNext(run, platform: .apns, wave: 1, limit: 9)
            #expect(next.map(\.number) == [4])
        },
        StorePromise("Unclaimed people are listed by wave, then by name") { test in
            let names = Samples.names(6)
            try await test.stage(inWavesOf: [3, 3], names: [1, 3, 5, 0, 2, 4].map { names[$0] })
            _ = try await test.store.claimNext(run, platform: .apns, wave: 1, limit: 1)
            let unclaimed = { (number: Int, limit: Int) in
                try await test.store.unclaimed(run, platform: .apns, after: number, limit: limit)
            }
            let one = try await unclaimed(0, 1)
            #expect(one.people == [names[3]])
            #expect(one.last == 2)
            let first = try await unclaimed(0, 100)
            #expect(first.people == [names[3], names[5]])
            #expect(first.last == 3)
            let second = try await unclaimed(first.last, 100)
            #expect(second.people == [names[0], names[2], names[4]])
            #expect(try await unclaimed(second.last, 100).people == [])
            _ = try await test.store.claimNext(run, platform: .apns, wave: 1, limit: 9)
            #expect(try await unclaimed(0, 2).people == [names[0], names[2]])
        },
        StorePromise("In a wave, people who reached the cap are skipped") { test in
            let cap = FrequencyCap(pushes: 1, period: .seconds(3_600))
            let time = Samples.start + 1_800
            let names = Samples.names(6)
            let other = Samples.run("others", campaign: "winter-sale")
            try await test.stage([names[1], names[4]], of: other)
            try await test.accept(1...2, of: other.id)
            try await test.stage(inWavesOf: [3, 3])
            let second = try await test.store.claimNext(
                run, platform: .apns, wave: 2, limit: 9, cap: cap, at: time)
            #expect(second.claims.map(\.number) == [4, 6])
            #expect(second.skipped == 1)
            let first = try await test.store.claimNext(
                run, platform: .apns, wave: 1, limit: 9, cap: cap, at: time)
            #expect(first.claims.map(\.number) == [1, 3])
            #expect(first.skipped == 1)
            let again = try await test.store.claimNext(
                run, platform: .apns, wave: 2, limit: 9, cap: cap, at: time)
            #expect(again.isEmpty)
            try await test.store.verify(run)
        },
        StorePromise("In a wave, deliveries that were not requested are skipped") { test in
            try await test.stage(
                inWavesOf: [3, 3], withholding: [2: [.apns], 3: [.apns], 5: [.apns]])
            let second = try await test.store.claimNext(run, platform: .apns, wave: 2, limit: 9)
            #expect(second.map(\.number) == [4, 6])
            let left = try await test.store.unclaimed(run, platform: .apns, after: 0, limit: 9)
            #expect(left.people == [Samples.names(6)[0]])
            let first = try await test.store.claimNext(run, platform: .apns, wave: 1, limit: 9)
            #expect(first.map(\.number) == [1])
            #expect(try await test.store.claimNext(run, platform: .apns, wave: 1, limit: 9).isEmpty)
            let everybody = try await test.store.claimNext(run, platform: .fcm, wave: 1, limit: 9)
            #expect(everybody.map(\.number) == [1, 2, 3])
        },
        StorePromise("Ending a run gives every open delivery in its waves an outcome") {
            test in
            try await test.stage(inWavesOf: [4, 3], of: Samples.run(platforms: [.apns]))
            _ = try await test.store.claimNext(run, platform: .apns, wave: 1, limit: 2)
            _ = try await test.store.claimNext(run, platform: .apns, wave: 2, limit: 1)
            try await test.store.record(
                [Samples.record(1, .apns, .ended(.accepted))], requests: 1, of: run)
            try await test.reopen().endRemaining(
                run, as: .skipped, because: nil, detail: "too late", at: Samples.start + 90)
            let rows = try await test.report()
            #expect(
                rows.map(\.outcome) == [
                    .accepted, .unknown, .skipped, .skipped, .unknown, .skipped, .skipped,
                ])
            #expect(rows.map(\.attempts) == [1, 1, 0, 0, 1, 0, 0])
            for wave in 1...2 {
                let claims = try await test.store.claimNext(
                    run, platform: .apns, wave: wave, limit: 9)
                #expect(claims.isEmpty)
            }
            #expect(
                try await test.store.interrupted(run, platform: .apns, after: 0, limit: 9).isEmpty)
            #expect(
                try await test.store.unclaimed(run, platform: .apns, after: 0, limit: 9).people
                    == [])
        },
        StorePromise("Waves that span transactions are ended completely") { test in
            try await test.stage(inWavesOf: [4_990, 20, 990], of: Samples.run(platforms: [.apns]))
            _ = try await test.store.claimNext(run, platform: .apns, wave: 2, limit: 15)
            try await test.store.endRemaining(
                run, as: .skipped, because: nil, detail: "too late", at: Samples.start)
            #expect(
                try await test.store.waveOutcomes(run).map { $0.outcomes[.unknown] }
                    == [0, 15, 0])
            #expect(try await test.store.outcomes(run)[.skipped] == 5_985)
            try await test.reopen().verify(run)
        },
        StorePromise("Unclaimed people see nothing, even if a later wave is claimed") { test in
            try await test.stage(inWavesOf: [2, 2], of: Samples.run(platforms: [.apns]))
            _ = try await test.store.claimNext(run, platform: .apns, wave: 1, limit: 1)
            _ = try await test.store.claimNext(run, platform: .apns, wave: 2, limit: 1)
            var seen: [Bool] = []
            for name in Samples.names(4) {
                let found = try await test.store.notifications(
                    for: name, isUnread: false, after: nil, limit: 9, at: Samples.start + 60)
                seen.append(!found.isEmpty)
            }
            #expect(seen == [true, false, true, false])
        },
    ]
}
