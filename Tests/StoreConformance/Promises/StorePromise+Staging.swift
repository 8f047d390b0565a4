import CampaignCore
import Storage
import Testing

extension StorePromise {
    package static let staging = [
        StorePromise("Recipients are numbered from 1 across all calls") { test in
            let run = Samples.run(platforms: [.apns])
            try await test.store.begin(run)
            try await test.store.store(Samples.notification(), of: run.id)
            let names = Samples.names(12_000)
            for part in [names[..<1], names[1..<5_200], names[5_200...]] {
                try await test.store.append(part.map { StagedRecipient(username: $0) }, to: run.id)
            }
            try await test.store.finishStaging(
                run.id, counts: AudienceCounts(named: 12_000, final: 12_000))
            let claims = try await test.store.claimNext(run.id, platform: .apns, limit: 20_000)
            #expect(claims.map(\.number) == Array(1...12_000))
            #expect(claims.map(\.username) == names)
        },
        StorePromise("The end of staging starts the run and fixes its counts") { test in
            let run = Samples.run()
            try await test.store.begin(run)
            let counts = AudienceCounts(named: 9, duplicate: 2, excluded: 4, final: 3)
            try await test.store.finishStaging(run.id, counts: counts)
            let read = try #require(try await test.reopen().run(run.id))
            #expect(read.state == .running)
            #expect(read.counts == counts)
            #expect(read.deliveries == 6)
        },
        StorePromise("A run is never seen as damaged while it is being staged") {
            test in
            let run = Samples.run()
            let names = Samples.names(12_000)
            try await test.store.begin(run)
            try await test.read(run, for: names)
            try await test.store.store(Samples.waves([6_000, 6_000]), of: run.id)
            try await test.store.store(Samples.notification(), of: run.id)
            try await test.read(run, for: names)
            for part in [names[..<1], names[1..<8_000], names[8_000...]] {
                try await test.store.append(
                    part.map { StagedRecipient(username: $0, withheld: [.apns]) }, to: run.id)
                try await test.read(run, for: names)
            }
            try await test.reopen().clearStaging(run.id)
            try await test.read(run, for: names)
        },
        StorePromise("An interrupted staging can be removed and repeated") { test in
            let run = Samples.run()
            try await test.store.begin(run)
            let shared = Samples.notification()
            try await test.store.store(shared, of: run.id)
            let names = Samples.names(7_000)
            try await test.store.append(
                names.map {
                    StagedRecipient(username: $0, notification: Samples.notification())
                }, to: run.id)
            let other = try test.reopen()
            try await other.clearStaging(run.id)
            try await other.store(shared, of: run.id)
            try await other.append([StagedRecipient(username: names[3])], to: run.id)
            try await other.finishStaging(run.id, counts: AudienceCounts(final: 1))
            let claims = try await other.claimNext(run.id, platform: .apns, limit: 10)
            #expect(claims.map(\.number) == [1])
            #expect(claims.map(\.username) == [names[3]])
            #expect(claims.map(\.notification) == [shared.id])
        },
        StorePromise("Clearing one run leaves the others unchanged") { test in
            try await test.stage(Samples.names(3))
            let second = Samples.run("bbbbbb", campaign: "other")
            try await test.store.begin(second)
            try await test.store.append(
                Samples.names(2).map { StagedRecipient(username: $0) }, to: second.id)
            try await test.store.clearStaging(second.id)
            #expect(try await test.report().count == 6)
        },
        StorePromise("Recipients that are repeated or out of order are refused and not stored") {
            test in
            let run = Samples.run()
            try await test.store.begin(run)
            let names = Samples.names(3)
            try await test.store.append([StagedRecipient(username: names[1])], to: run.id)
            for wrong in [[names[0]], [names[1]], [names[2], names[2]]] {
                await #expect(throws: StoreError.unordered(run.id)) {
                    try await test.store.append(
                        wrong.map { StagedRecipient(username: $0) }, to: run.id)
                }
            }
            try await test.store.append([StagedRecipient(username: names[2])], to: run.id)
        },
        StorePromise("Names are ordered by their bytes") { test in
            let names = ["#", "A", "Z", "_", "a", "aa", "b"].map { Username(checked: $0) }
            try await test.stage(names)
            let rows = try await test.report()
            #expect(rows.map(\.recipient) == names.flatMap { [$0, $0] })
        },
        StorePromise("The audience is fixed after staging") { test in
            try await test.stage(Samples.names(2))
            let run = Samples.runID()
            let error = StoreError.notStaging(run)
            let store = test.store
            await #expect(throws: error) { try await store.clearStaging(run) }
            await #expect(throws: error) { try await store.store(Samples.notification(), of: run) }
            await #expect(throws: error) {
                try await store.finishStaging(run, counts: AudienceCounts())
            }
            await #expect(throws: error) {
                try await store.append(
                    [StagedRecipient(username: Username(checked: "zoe"))], to: run)
            }
        },
    ]
}
