import CampaignCore
import FoundationEssentials
import Testing

extension StorePromise {
    private static let run = Samples.runID()

    package static let ending = [
        StorePromise("Ending a run gives every open delivery an outcome") {
            test in
            try await test.stage(Samples.names(7), of: Samples.run(platforms: [.apns]))
            _ = try await test.store.claimNext(run, platform: .apns, limit: 5)
            try await test.store.record(
                [
                    Samples.record(1, .apns, .ended(.accepted), detail: "kept"),
                    Samples.record(2, .apns, .waiting, attempts: 2, isUncertain: true),
                    Samples.record(3, .apns, .waiting, attempts: 2),
                    Samples.record(4, .apns, .waiting, attempts: 2),
                ], requests: 4, of: run)
            try await test.store.claimAgain(run, platform: .apns, numbers: [4], at: Samples.start)

            try await test.reopen().endRemaining(
                run, as: .skipped, because: nil, detail: "too late", at: Samples.start + 90)
            let rows = try await test.report()
            #expect(
                rows.map(\.outcome) == [
                    .accepted, .unknown, .skipped, .unknown, .unknown, .skipped, .skipped,
                ])
            #expect(rows.map(\.attempts) == [1, 2, 2, 3, 1, 0, 0])
            #expect(rows.first?.detail == "kept")
            #expect(rows.dropFirst().allSatisfy { $0.detail == "too late" })
            #expect(rows.dropFirst().allSatisfy { $0.recordedAt == Samples.start + 90 })
        },
        StorePromise("An ended run has no open deliveries") { test in
            try await test.stage(Samples.names(11_000))
            _ = try await test.store.claimNext(run, platform: .fcm, limit: 5_500)
            try await test.store.endRemaining(
                run, as: .skipped, because: nil, detail: "too late", at: Samples.start)
            let counts = try await test.store.outcomes(run)
            #expect(counts[.unknown] == 5_500)
            #expect(counts[.skipped] == 16_500)
            #expect(counts[.notAttempted] == 0)
            for platform in [Platform.fcm, .apns] {
                #expect(try await test.store.claimNext(run, platform: platform, limit: 1).isEmpty)
                #expect(
                    try await test.store.waiting(run, platform: platform, after: 0, limit: 1)
                        .isEmpty)
                #expect(
                    try await test.store.interrupted(run, platform: platform, after: 0, limit: 1)
                        .isEmpty)
            }
        },
        StorePromise("People who were too late are counted separately from excluded people") {
            test in
            let reasons: [SkipReason] = [.tooLate, .tooLate, .expired, .capped, .revoked]
            try await test.stage(Samples.names(8), of: Samples.run(platforms: [.apns]))
            _ = try await test.store.claimNext(run, platform: .apns, limit: 7)
            // The last two were not skipped, although their details begin like those of skipped
            // deliveries.
            let records =
                reasons.enumerated().map { Samples.skipped($0 + 1, .apns, $1) } + [
                    Samples.record(6, .apns, .ended(.unknown), detail: "too late: for a reason"),
                    Samples.record(7, .apns, .ended(.failed), detail: "expired: for a reason"),
                ]
            try await test.store.record(records, requests: 0, of: run)
            var expected = OutcomeCounts([.skipped: 5, .unknown: 1, .failed: 1, .notAttempted: 1])
            expected.tooLate = 2
            expected.expired = 1
            expected.revoked = 1
            #expect(try await test.reopen().outcomes(run) == expected)
            #expect(expected.troubled == 5)
            try await test.store.verify(run)
            // An outcome that is replaced loses its reason.
            try await test.store.record(
                [Samples.record(1, .apns, .ended(.accepted))], requests: 0, of: run)
            #expect(try await test.store.outcomes(run).tooLate == 1)
            try await test.store.verify(run)
        },
        StorePromise("Ending a run twice changes nothing") { test in
            try await test.stage(Samples.names(3))
            try await test.store.endRemaining(
                run, as: .notAttempted, because: nil, detail: "stopped", at: Samples.start)
            let before = try await test.report()
            try await test.store.endRemaining(
                run, as: .skipped, because: nil, detail: "other", at: Samples.start + 9)
            #expect(try await test.report() == before)
            #expect(before.allSatisfy { $0.outcome == .notAttempted && $0.detail == "stopped" })
        },
        StorePromise("Abandoned deliveries are counted as not attempted") {
            test in
            try await test.stage(Samples.names(3), of: Samples.run(platforms: [.apns]))
            _ = try await test.store.claimNext(run, platform: .apns, limit: 1)
            try await test.store.record(
                [Samples.record(1, .apns, .ended(.accepted))], requests: 1, of: run)
            try await test.store.endRemaining(
                run, as: .notAttempted, because: nil, detail: "stopped", at: Samples.start)
            let expected = OutcomeCounts([.accepted: 1, .notAttempted: 2])
            #expect(try await test.store.outcomes(run) == expected)
            #expect(try await test.store.platformOutcomes(run).map(\.outcomes) == [expected])
        },
    ]
}
