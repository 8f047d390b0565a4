import CampaignCore
import FoundationEssentials
import Testing

extension StorePromise {
    private static let run = Samples.runID()
    private static let outcomes: [Outcome] = [
        .accepted, .rejected, .failed, .unknown, .skipped, .notAttempted,
    ]

    /// Stages a run with people withheld on one of its platforms.
    private static func stageWithheld(
        _ names: [Username], in store: any StoreUnderTest.Store
    ) async throws {
        let run = Samples.run(platforms: [.apns, .fcm])
        try await store.begin(run)
        try await store.store(Samples.notification(), of: run.id)
        try await store.append(
            names.enumerated().map { index, name in
                StagedRecipient(username: name, withheld: index < 3 ? [.apns] : [])
            }, to: run.id)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: names.count))
    }

    package static let rests = [
        StorePromise("A follow-up run has the people with the requested outcomes") {
            test in
            let names = Samples.names(7)
            try await test.stage(names)
            _ = try await test.store.claimNext(run, platform: .apns, limit: 7)
            _ = try await test.store.claimNext(run, platform: .fcm, limit: 7)
            var records = outcomes.enumerated().map { index, outcome in
                Samples.record(index + 1, .apns, .ended(outcome))
            }
            records.append(Samples.skipped(7, .apns, .notAskedFor))
            records += (1...7).map {
                Samples.record($0, .fcm, .ended($0 == 2 ? .rejected : .accepted))
            }
            try await test.store.record(records, requests: 14, of: run)
            let store = try test.reopen()
            for (index, outcome) in outcomes.enumerated() where outcome != .accepted {
                let (people, last) = try await store.unreached(
                    of: run, with: [outcome], after: 0, recipients: 100)
                let platforms: Set<Platform> = outcome == .rejected ? [.apns, .fcm] : [.apns]
                #expect(people == [UnreachedPerson(username: names[index], platforms: platforms)])
                #expect(last == 7)
            }
            let wanted: Set<Outcome> = [.rejected, .unknown]
            let first = try await store.unreached(of: run, with: wanted, after: 0, recipients: 3)
            #expect(first.people.map(\.username) == [names[1]])
            let second = try await store.unreached(of: run, with: wanted, after: 3, recipients: 3)
            #expect(second.people.map(\.username) == [names[3]])
            let third = try await store.unreached(of: run, with: wanted, after: 6, recipients: 3)
            #expect(third.people.isEmpty && third.last == 7)
            #expect(
                try await store.unreached(of: run, with: wanted, after: 7, recipients: 3).last
                    == nil)
        },
        StorePromise("Withheld deliveries are skipped from the start and never claimed") { test in
            let names = Samples.names(8)
            try await stageWithheld(names, in: test.store)
            let store = try test.reopen()
            #expect(
                try await store.outcomes(run) == OutcomeCounts([.skipped: 3, .notAttempted: 13]))
            let first = try await store.claimNext(run, platform: .apns, limit: 2)
            #expect(first.map(\.number) == [4, 5])
            #expect(
                try await store.interrupted(run, platform: .apns, after: 0, limit: 9)
                    .map(\.number) == [4, 5])
            let rest = try await store.claimNext(run, platform: .apns, limit: 9)
            #expect(rest.map(\.number) == [6, 7, 8])
            #expect(try await store.claimNext(run, platform: .apns, limit: 9).isEmpty)
            #expect(
                try await store.claimNext(run, platform: .fcm, limit: 9).map(\.number)
                    == Array(1...8))
            let skipped = try await test.report().filter { $0.outcome == .skipped }
            #expect(skipped.map(\.recipient) == Array(names[..<3]))
            #expect(
                skipped.allSatisfy {
                    $0.platform == .apns && $0.detail == SkipReason.notAskedFor.rawValue
                        && $0.recordedAt == Samples.start
                })
            try await store.verify(run)
        },
        StorePromise("Repeated staging removes withheld deliveries") { test in
            let names = Samples.names(5)
            let run = Samples.run(platforms: [.apns, .fcm])
            try await test.store.begin(run)
            try await test.store.append(
                names.map { StagedRecipient(username: $0, withheld: [.fcm]) }, to: run.id)
            try await test.store.clearStaging(run.id)
            try await test.stage(names, of: run)
            #expect(try await test.store.outcomes(run.id) == OutcomeCounts([.notAttempted: 10]))
            #expect(try await test.store.claimNext(run.id, platform: .fcm, limit: 9).count == 5)
            try await test.store.verify(run.id)
        },
    ]
}
