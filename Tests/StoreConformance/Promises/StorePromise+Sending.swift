import CampaignCore
import Storage
import Testing

extension StorePromise {
    private static let run = Samples.runID()

    package static let sending = [
        StorePromise("Pages are claimed in order, separately for each platform") { test in
            try await test.stage(Samples.names(5))
            #expect(
                try await test.store.claimNext(run, platform: .apns, limit: 2).map(\.number)
                    == [1, 2])
            #expect(
                try await test.store.claimNext(run, platform: .apns, limit: 2).map(\.number)
                    == [3, 4])
            #expect(
                try await test.store.claimNext(run, platform: .fcm, limit: 3).map(\.number)
                    == [1, 2, 3])
            #expect(
                try await test.reopen().claimNext(run, platform: .apns, limit: 2).map(\.number)
                    == [5])
            #expect(try await test.store.claimNext(run, platform: .apns, limit: 2).isEmpty)
        },
        StorePromise("Claiming for a platform that the run does not have is an error") { test in
            try await test.stage(Samples.names(1))
            let error = StoreError.foreignPlatform(run, .wns)
            await #expect(throws: error) {
                try await test.store.claimNext(run, platform: .wns, limit: 1)
            }
            await #expect(throws: error) {
                let record = Samples.record(1, .wns, .ended(.accepted))
                try await test.store.record([record], requests: 1, of: run)
            }
        },
        StorePromise("Processes that claim at the same time never get the same delivery") { test in
            try await test.stage(Samples.names(3_000))
            let stores = try (0..<4).map { _ in try test.reopen() }
            let numbers = try await withThrowingTaskGroup(of: [Int].self) { group in
                for store in stores {
                    group.addTask {
                        var mine: [Int] = []
                        while true {
                            let page = try await store.claimNext(run, platform: .fcm, limit: 70)
                            if page.isEmpty { return mine }
                            mine += page.map(\.number)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(numbers.sorted() == Array(1...3_000))
        },
        StorePromise("A claim contains the recipient's notification") { test in
            let run = Samples.run(platforms: [.apns])
            try await test.store.begin(run)
            let names = Samples.names(2)
            let own = names.map { Samples.notification("Hi \($0)", type: "t-\($0)") }
            try await test.store.append(
                zip(names, own).map { StagedRecipient(username: $0, notification: $1) }, to: run.id)
            try await test.store.finishStaging(run.id, counts: AudienceCounts(final: 2))
            let claims = try await test.store.claimNext(run.id, platform: .apns, limit: 9)
            #expect(
                claims
                    == zip(names, own).enumerated().map { index, pair in
                        DeliveryClaim(
                            number: index + 1, username: pair.0,
                            PushedNotification(
                                id: pair.1.id, type: pair.1.type,
                                texts: Texts(message: pair.1.texts.message)),
                            attempts: 0, isUncertain: false)
                    })
        },
        StorePromise("After a crash, claimed deliveries without a record are interrupted") { test in
            try await test.stage(Samples.names(6))
            _ = try await test.store.claimNext(run, platform: .apns, limit: 5)
            try await test.store.record(
                [
                    Samples.record(2, .apns, .ended(.accepted)),
                    Samples.record(4, .apns, .waiting, attempts: 3),
                ], requests: 2, of: run)
            let after = try test.reopen()
            let found = try await after.interrupted(run, platform: .apns, after: 0, limit: 10)
            #expect(found.map(\.number) == [1, 3, 5])
            #expect(found.allSatisfy { $0.isUncertain && $0.attempts == 1 })
            #expect(
                try await after.interrupted(run, platform: .apns, after: 1, limit: 1)
                    .map(\.number) == [3])
            #expect(try await after.interrupted(run, platform: .fcm, after: 0, limit: 10).isEmpty)
        },
        StorePromise("Waiting deliveries are found by number and can be claimed again") { test in
            try await test.stage(Samples.names(4))
            _ = try await test.store.claimNext(run, platform: .fcm, limit: 4)
            try await test.store.record(
                [
                    Samples.record(3, .fcm, .waiting, attempts: 2, isUncertain: true),
                    Samples.record(1, .fcm, .waiting, attempts: 1),
                    Samples.record(2, .fcm, .ended(.rejected)),
                    Samples.record(4, .fcm, .ended(.accepted)),
                ], requests: 4, of: run)
            let waiting = try await test.store.waiting(run, platform: .fcm, after: 0, limit: 10)
            #expect(waiting.map(\.number) == [1, 3])
            #expect(waiting.map(\.attempts) == [1, 2])
            #expect(waiting.map(\.isUncertain) == [false, true])
            #expect(
                try await test.store.waiting(run, platform: .fcm, after: 1, limit: 10)
                    .map(\.number) == [3])

            try await test.store.claimAgain(
                run, platform: .fcm, numbers: [2, 3], at: Samples.start)
            let after = try test.reopen()
            #expect(
                try await after.waiting(run, platform: .fcm, after: 0, limit: 10).map(\.number)
                    == [1])
            let interrupted = try await after.interrupted(run, platform: .fcm, after: 0, limit: 10)
            #expect(interrupted.map(\.number) == [3])
            #expect(interrupted.map(\.attempts) == [3])
        },
        StorePromise("Records and requests are added up") { test in
            try await test.stage(Samples.names(3))
            _ = try await test.store.claimNext(run, platform: .fcm, limit: 3)
            _ = try await test.store.claimNext(run, platform: .apns, limit: 1)
            try await test.store.record(
                [
                    Samples.record(1, .fcm, .ended(.accepted)),
                    Samples.record(2, .fcm, .waiting),
                    Samples.record(1, .apns, .ended(.unknown)),
                ], requests: 4, of: run)
            try await test.store.record(
                [Samples.record(2, .fcm, .ended(.failed), attempts: 2)], requests: 1, of: run)
            let counts = try await test.reopen().outcomes(run)
            #expect(
                counts
                    == OutcomeCounts([
                        .accepted: 1, .rejected: 0, .failed: 1, .unknown: 1, .skipped: 0,
                        .notAttempted: 3,
                    ]))
            #expect(try await test.store.run(run)?.requests == 5)
        },
        StorePromise("A cancelled task still records its outcomes") { test in
            try await test.stage(Samples.names(2))
            _ = try await test.store.claimNext(run, platform: .fcm, limit: 2)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.cancelAll()
                group.addTask {
                    #expect(Task.isCancelled)
                    try await test.store.record(
                        [Samples.record(1, .fcm, .ended(.accepted))], requests: 1, of: run)
                    #expect(try await test.store.outcomes(run)[.accepted] == 1)
                }
                try await group.waitForAll()
            }
        },
    ]
}
