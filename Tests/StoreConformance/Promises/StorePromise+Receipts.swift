import CampaignCore
import FoundationEssentials
import Testing

extension StorePromise {
    private static let names = Samples.names(3)

    package static let receipts = [
        StorePromise("The first fetch and the first read are kept independently") {
            test in
            let id = try await test.stage(names)
            try await test.receive(id, [.read], by: names[1])
            try await test.receive(id, [.fetched, .read], by: names[1], at: Samples.start + 500)
            try await test.receive(id, [.fetched, .read], by: names[1], at: Samples.start + 1)
            let received = try await test.reopen().notification(id, for: names[1])
            #expect(received?.read == Samples.start + 120)
            #expect(received?.fetched == Samples.start + 500)
            let other = try await test.reopen().notification(id, for: names[0])
            #expect(other?.fetched == nil)
            #expect(other?.read == nil)
        },
        StorePromise("One call stores the receipts of many people") { test in
            let everyone = Samples.names(6_000)
            let id = try await test.stage(everyone)
            let place = try #require(try await test.store.notification(id, for: everyone[0])).place
            try await test.store.record(
                (1...6_000).flatMap { number in
                    let place = ReceiptKey(run: place.run, number: number)
                    return [
                        Receipt(place: place, kind: .fetched, time: Samples.start + 1),
                        Receipt(place: place, kind: .read, time: Samples.start + 2),
                    ]
                })
            let reach = try await test.store.reach(Samples.runID())
            #expect(reach == Reach(accepted: 0, fetched: 6_000, read: 6_000))
        },
        StorePromise("A receipt of a person outside the run is not stored") { test in
            let id = try await test.stage(names)
            let place = try #require(try await test.store.notification(id, for: names[0])).place
            try await test.store.record(
                [(place.run, names.count + 1), (place.run + 77, 1)].map { run, number in
                    Receipt(
                        place: ReceiptKey(run: run, number: number), kind: .read,
                        time: Samples.start)
                })
            #expect(try await test.store.overview(id)?.read == 0)
        },
        StorePromise("A report shows fetches and reads on each of a person's rows") { test in
            let id = try await test.stage(names)
            try await test.receive(id, [.fetched], by: names[1])
            try await test.receive(id, [.read], by: names[1], at: Samples.start + 130)
            let rows = try await test.report()
            #expect(rows.map(\.fetchedAt) == [nil, nil, 120, 120, nil, nil].map(after))
            #expect(rows.map(\.readAt) == [nil, nil, 130, 130, nil, nil].map(after))
            #expect(rows.allSatisfy { $0.revokedAt == nil })
        },
        StorePromise("A report shows when a payload was revoked, alone or with its run") { test in
            let ids = try await test.stagePersonal(names, of: Samples.run(platforms: [.apns]))
            #expect(try await test.store.revoke(ids[1], at: Samples.start + 5))
            #expect(try await test.report().map(\.revokedAt) == [nil, 5, nil].map(after))
            try await test.store.revoke(Samples.runID(), at: Samples.start + 9)
            #expect(try await test.report().map(\.revokedAt) == [9, 5, 9].map(after))
        },
        StorePromise("A report on one person has the same rows as the whole report") { test in
            let id = try await test.stage(names)
            try await test.accept(1...2, of: Samples.runID())
            try await test.receive(id, [.fetched], by: names[1])
            let rows = try await test.store.reportRows(Samples.runID(), of: names[1])
            let whole = try await test.report()
            #expect(rows == whole.filter { $0.recipient == names[1] })
            #expect(rows.count == 2)
            let stranger = Username(checked: "stranger")
            #expect(try await test.store.reportRows(Samples.runID(), of: stranger).isEmpty)
        },
        StorePromise("A run's reach counts people, not deliveries") { test in
            let everyone = Samples.names(7)
            let id = try await test.stage(
                everyone, of: Samples.run(platforms: [.wns, .apns, .fcm]))
            let run = Samples.runID()
            try await test.accept(1...4, of: run, on: .wns)
            try await test.accept(3...5, of: run, on: .apns)
            try await test.accept(1...6, of: run, on: .fcm)
            try await test.store.record(
                [Samples.record(6, .fcm, .ended(.rejected))], requests: 1, of: run)
            try await test.receive(id, [.fetched], by: everyone[0])
            try await test.receive(id, [.fetched, .read], by: everyone[6])
            let reach = try await test.reopen().reach(run)
            #expect(reach == Reach(accepted: 5, fetched: 2, read: 1))
        },
        StorePromise("A run's reach excludes other runs") { test in
            let other = try await test.stage(names, of: Samples.run("others", campaign: "other"))
            try await test.stage(names)
            try await test.accept(1...3, of: Samples.runID("others"))
            try await test.receive(other, [.fetched, .read], by: names[0])
            #expect(try await test.store.reach(Samples.runID()) == Reach())
        },
        StorePromise("Revoking a shared payload does not affect the next one") {
            test in
            let taken = try await test.stage(names)
            let kept = try await test.stage(names, of: Samples.run("others", campaign: "other"))
            #expect(try await test.store.revoke(taken, at: Samples.start + 1))
            #expect(try await test.store.revoke(taken, at: Samples.start + 2))
            for name in names {
                #expect(try await test.store.notification(taken, for: name) == nil)
                #expect(try await test.store.notification(kept, for: name) != nil)
            }
            let shown = try await test.reopen().notification(taken)
            #expect(shown?.revoked == Samples.start + 1)
        },
        StorePromise("Revoking one person's payload does not affect others") { test in
            let ids = try await test.stagePersonal(names)
            #expect(try await test.store.revoke(ids[1], at: Samples.start + 1))
            for (index, name) in names.enumerated() {
                let found = try await test.store.notification(ids[index], for: name)
                #expect((found == nil) == (index == 1))
            }
        },
        StorePromise("An unknown payload cannot be revoked") { test in
            let isKnown = try await test.store.revoke(.placeholder, at: Samples.start)
            #expect(!isKnown)
        },
    ]

    private static func after(_ seconds: Int?) -> Date? {
        seconds.map { Samples.start + Double($0) }
    }
}
