import CampaignCore
import FoundationEssentials
import Testing

extension StorePromise {
    private static let run = Samples.runID()

    package static let reporting = [
        StorePromise("A report has a row per delivery, by name, then platform") {
            test in
            let names = Samples.names(3)
            try await test.stage(names, of: Samples.run(platforms: [.wns, .apns]))
            _ = try await test.store.claimNext(run, platform: .apns, limit: 2)
            try await test.store.record(
                [
                    Samples.record(
                        2, .apns, .ended(.rejected), attempts: 4, detail: "400 bad body",
                        hubMessage: "m-1")
                ], requests: 1, of: run)
            let rows = try await test.report()
            #expect(rows.map(\.recipient) == names.flatMap { [$0, $0] })
            #expect(rows.map(\.platform) == [.wns, .apns, .wns, .apns, .wns, .apns])
            let sent = rows[3]
            #expect(sent.outcome == .rejected)
            #expect(sent.detail == "400 bad body")
            #expect(sent.hubMessage == "m-1")
            #expect(sent.attempts == 4)
            #expect(sent.recordedAt == Samples.start + 60)
            let open = rows[1]
            #expect(open.outcome == .notAttempted)
            #expect(open.attempts == 0)
            #expect(open.recordedAt == nil)
            #expect(open.notification == sent.notification)
        },
        StorePromise("Pages of a report never split a recipient and miss nobody") { test in
            let names = Samples.names(10)
            try await test.stage(names)
            let first = try await test.store.reportPage(run, after: 0, recipients: 4)
            #expect(first.rows.count == 8)
            #expect(first.last == 4)
            let end = try await test.store.reportPage(run, after: 10, recipients: 4)
            #expect(end.rows.isEmpty)
            #expect(end.last == 10)
            #expect(try await test.report(page: 3).map(\.recipient) == names.flatMap { [$0, $0] })
        },
        StorePromise("Some people can have a personal notification while others share one") {
            test in
            let run = Samples.run(platforms: [.apns])
            let names = Samples.names(3)
            let (shared, own) = (Samples.notification(), Samples.notification())
            try await test.store.begin(run)
            try await test.store.store(shared, of: run.id)
            try await test.store.append(
                [
                    StagedRecipient(username: names[0]),
                    StagedRecipient(username: names[1], notification: own),
                    StagedRecipient(username: names[2]),
                ], to: run.id)
            try await test.store.finishStaging(run.id, counts: AudienceCounts(final: 3))
            let claims = try await test.store.claimNext(run.id, platform: .apns, limit: 9)
            #expect(claims.map(\.notification) == [shared.id, own.id, shared.id])
            #expect(claims.map(\.isShared) == [true, false, true])
            #expect(try await test.report().map(\.notification) == claims.map(\.notification))
        },
        StorePromise(
            "A report shows first receipts and first results, even if it was read before"
        ) {
            test in
            let names = Samples.names(2)
            let id = try await test.stage(names, of: Samples.run(platforms: [.apns]))
            _ = try await test.store.claimNext(run, platform: .apns, limit: 2)
            try await test.store.record(
                [Samples.record(1, .apns, .ended(.accepted), hubMessage: "m-1")], requests: 1,
                of: run)
            let before = try await test.report()
            #expect(before.map(\.recipient) == names)
            #expect(before.allSatisfy { $0.fetchedAt == nil && $0.pushServices == nil })
            try await test.receive(id, [.fetched], by: names[1])
            #expect(try await test.report().map { $0.fetchedAt != nil } == [false, true])
            let sent = try await test.store.untold(run, platform: .apns, after: 0, limit: 9)
            try await test.store.record(
                sent.map { (message: $0, fate: .ended("Success")) }, of: run,
                at: Samples.start + 90)
            #expect(try await test.report().map(\.pushServices) == ["Success", nil])
        },
        StorePromise("An empty text differs from a missing text") { test in
            try await test.stage(Samples.names(2), of: Samples.run(platforms: [.apns]))
            _ = try await test.store.claimNext(run, platform: .apns, limit: 2)
            try await test.store.record(
                [
                    Samples.record(1, .apns, .ended(.accepted), detail: "", hubMessage: ""),
                    Samples.record(2, .apns, .ended(.accepted), detail: "é\u{0}x"),
                ], requests: 2, of: run)
            let rows = try await test.report()
            #expect(rows.map(\.hubMessage) == ["", nil])
            #expect(rows.map(\.detail) == ["", "é\u{0}x"])
        },
        StorePromise(
            "Similar reasons are counted together, most frequent first"
        ) {
            test in
            let names = Samples.names(9)
            try await test.stage(names, of: Samples.run(platforms: [.apns]))
            _ = try await test.store.claimNext(run, platform: .apns, limit: 9)
            let bad = { (number: Int, outcome: Outcome) in
                Samples.record(
                    number, .apns, .ended(outcome),
                    detail: "HTTP 400: bad.TrackingId:\(number)_G0,TimeStamp:\(number)")
            }
            try await test.store.record(
                [
                    Samples.record(1, .apns, .ended(.accepted)), bad(2, .rejected),
                    Samples.record(3, .apns, .ended(.failed), detail: "no answer in time"),
                    bad(4, .rejected), bad(5, .unknown), bad(6, .rejected),
                    Samples.record(7, .apns, .ended(.failed), detail: "no answer in time"),
                    Samples.record(8, .apns, .ended(.skipped), detail: "capped"),
                ], requests: 8, of: run)
            let most = TroubleReason(
                outcome: .rejected, reason: "HTTP 400: bad", count: 3, example: names[1])
            let all = try await test.store.reasons(run, limit: 9)
            #expect(
                all == [
                    most,
                    TroubleReason(
                        outcome: .failed, reason: "no answer in time", count: 2,
                        example: names[2]),
                    TroubleReason(
                        outcome: .unknown, reason: "HTTP 400: bad", count: 1, example: names[4]),
                ])
            #expect(try await test.store.reasons(run, limit: 1) == [most])
        },
        StorePromise("A report names each person's own notification") { test in
            let run = Samples.run(platforms: [.apns])
            try await test.store.begin(run)
            let own = Samples.names(2).map { ($0, Samples.notification("to \($0)")) }
            try await test.store.append(
                own.map { StagedRecipient(username: $0, notification: $1) }, to: run.id)
            try await test.store.finishStaging(run.id, counts: AudienceCounts(final: 2))
            #expect(try await test.report().map(\.notification) == own.map(\.1.id))
        },
    ]
}
