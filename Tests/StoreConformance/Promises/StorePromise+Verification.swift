import CampaignCore
import FoundationEssentials
import Testing

extension StorePromise {
    package static let verification = [
        StorePromise("A run passes verification after any sequence of operations") { test in
            let run = Samples.run()
            let ids = try await test.stagePersonal(Samples.names(30))
            try await test.store.verify(run.id)
            try await test.accept(1...10, of: run.id)
            try await test.store.record(
                (11...20).map { Samples.record($0, .apns, .waiting, detail: "busy") },
                requests: 10, of: run.id)
            try await test.store.verify(run.id)
            try await test.store.claimAgain(
                run.id, platform: .apns, numbers: [11, 12, 13, 14], at: Samples.start + 70)
            try await test.store.verify(run.id)
            try await test.store.record(
                [
                    Samples.record(11, .apns, .ended(.accepted), attempts: 2),
                    Samples.record(12, .apns, .waiting, attempts: 2),
                    Samples.record(1, .fcm, .ended(.rejected), detail: "gone", hubMessage: "x"),
                ], requests: 3, of: run.id)
            try await test.store.verify(run.id)
            #expect(try await test.store.revoke(ids[24], at: Samples.start + 80))
            _ = try await test.store.claimNext(run.id, platform: .apns, limit: 10)
            try await test.store.setDelivery(DeliveryPolicy(rate: 7), of: run.id)
            try await test.store.setState(.paused, reason: "why", of: run.id, at: Samples.start)
            try await test.store.requestStop(run.id, .resumable)
            try await test.store.clearStopRequest(run.id)
            try await test.reopen().verify(run.id)
            _ = try await test.store.purge(at: Samples.start + 90, isDryRun: false)
            try await test.store.verify(run.id)
            try await test.store.endRemaining(
                run.id, as: .notAttempted, because: nil, detail: "ended", at: Samples.start + 100)
            try await test.store.revoke(run.id, at: Samples.start + 110)
            try await test.reopen().verify(run.id)
        },
        StorePromise("If a delivery is recorded twice, the last record is used") { test in
            let run = Samples.run()
            try await test.stage(Samples.names(3))
            _ = try await test.store.claimNext(run.id, platform: .apns, limit: 3)
            for (first, second) in [
                (DeliveryRecord.State.waiting, DeliveryRecord.State.ended(.accepted)),
                (.ended(.accepted), .ended(.rejected)),
            ] {
                try await test.store.record(
                    [
                        Samples.record(1, .apns, first), Samples.record(2, .apns, first),
                        Samples.record(1, .fcm, first), Samples.record(1, .apns, second),
                        Samples.record(1, .fcm, second),
                    ], requests: 5, of: run.id)
                try await test.reopen().verify(run.id)
                guard case .ended(let outcome) = second else { continue }
                let rows = try await test.report().filter { $0.recipient.text == "user-00001" }
                #expect(rows.map(\.outcome) == [outcome, outcome])
            }
            for outcome in [Outcome.accepted, .rejected] {
                try await test.store.record(
                    (1...3).map { Samples.record($0, .apns, .ended(outcome)) }, requests: 0,
                    of: run.id)
                try await test.reopen().verify(run.id)
                #expect(try await test.store.outcomes(run.id)[outcome] >= 3)
            }
        },
        StorePromise("A run that is staged again passes verification") { test in
            let run = Samples.run()
            try await test.store.begin(run)
            try await test.store.store(Samples.notification(), of: run.id)
            try await test.store.append(
                Samples.names(9).map { StagedRecipient(username: $0) }, to: run.id)
            try await test.store.clearStaging(run.id)
            try await test.stage(Samples.names(4))
            try await test.reopen().verify(run.id)
        },
        StorePromise("A run whose payloads were purged passes verification") { test in
            try await test.stage(Samples.names(4))
            try await test.accept(1...4, of: Samples.runID())
            _ = try await test.store.purge(at: Samples.start + 700_000, isDryRun: false)
            try await test.reopen().verify(Samples.runID())
        },
    ]
}
