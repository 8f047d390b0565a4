import CampaignCore
import FoundationEssentials
import Testing

extension StorePromise {
    private static let names = Samples.names(8)
    private static let run = Samples.runID()
    /// The time at which pushes are claimed.
    private static let time = Samples.start + 60

    private static func those(_ places: [Int]) -> [Username] { places.map { names[$0] } }

    /// Stages eight people in three waves; the first of the second wave was refused on one platform.
    private static func stageEight(_ test: StoreUnderTest) async throws -> NotificationID {
        let id = try await test.stage(
            inWavesOf: [3, 2, 3], names: those([1, 3, 6, 0, 4, 2, 5, 7]))
        try await claim(test, run, wave: 2, limit: 1)
        try await test.store.record(
            [Samples.record(4, .apns, .ended(.rejected), detail: "400 bad body")], requests: 1,
            of: run)
        return id
    }

    private static func claim(
        _ test: StoreUnderTest, _ run: RunID, wave: Int, limit: Int
    ) async throws {
        let page = try await test.store.claimNext(
            run, platform: .apns, wave: wave, limit: limit, cap: nil, at: time)
        #expect(page.claims.count == limit)
    }

    /// Another campaign's run, in two waves: people with even numbers and people with odd numbers.
    private static func stageOther(_ test: StoreUnderTest, _ all: [Username]) async throws -> RunID
    {
        let run = Samples.run("others", campaign: "winter-sale", started: Samples.start - 40_000)
        let half = all.count / 2
        try await test.stage(
            inWavesOf: [half, half],
            names: (0..<half).map { all[2 * $0] } + (0..<half).map { all[2 * $0 + 1] }, of: run)
        return run.id
    }

    package static let waveNames = [
        StorePromise("A report is in name order across all waves, with any page size") { test in
            let id = try await stageEight(test)
            let store = try test.reopen()
            for page in [1, 2, 3, 5, 8, 100] {
                let rows = try await test.report(page: page)
                #expect(rows.map(\.recipient) == names.flatMap { [$0, $0] })
                #expect(rows.map(\.platform) == names.flatMap { _ in [.fcm, .apns] })
                #expect(rows.allSatisfy { $0.notification == id })
                let refused = rows.indices.filter { rows[$0].outcome == .rejected }
                #expect(refused == [1])
                #expect(rows[1].detail == "400 bad body")
            }
            let first = try await store.reportPage(run, after: 0, recipients: 3)
            #expect(first.last == 6)
            let end = try await store.reportPage(run, after: 8, recipients: 3)
            #expect(end.rows.isEmpty && end.last == 8)
        },
        StorePromise("A follow-up run and a run's people are in name order across all waves") {
            test in
            let id = try await stageEight(test)
            try await test.receive(id, [.fetched], by: names[5])
            let store = try test.reopen()
            for page in [1, 2, 3, 8, 100] {
                var (rest, everybody, absent): ([UnreachedPerson], [Username], [Username]) = (
                    [], [], []
                )
                var last: Int? = 0
                while let number = last, everybody.count <= names.count {
                    let next = try await store.unreached(
                        of: run, with: [.notAttempted], after: number, recipients: page)
                    rest += next.people
                    everybody += try await store.people(
                        of: run, with: nil, fetched: nil, after: number, recipients: page
                    ).people
                    absent += try await store.people(
                        of: run, with: nil, fetched: false, after: number, recipients: page
                    ).people
                    last = next.last
                }
                #expect(everybody == names)
                #expect(absent == those([0, 1, 2, 3, 4, 6, 7]))
                #expect(
                    rest
                        == names.enumerated().map { place, name in
                            UnreachedPerson(
                                username: name, platforms: place == 0 ? [.fcm] : [.fcm, .apns])
                        })
            }
            let refused = try await store.unreached(
                of: run, with: [.rejected], after: 0, recipients: 100)
            #expect(refused.people == [UnreachedPerson(username: names[0], platforms: [.apns])])
            #expect(refused.last == 8)
            let page = try await store.people(
                of: run, with: [.rejected], fetched: nil, after: 0, recipients: 100)
            #expect(page.people == [names[0]])
        },
        StorePromise("The people of every wave are found, and nobody else") { test in
            let id = try await stageEight(test)
            let store = try test.reopen()
            for name in names {
                let rows = try await store.reportRows(run, of: name)
                #expect(rows.map(\.recipient) == [name, name])
                #expect(try await store.notification(id, for: name) != nil)
            }
            for name in ["Adam", "user-00004x", "zoe"].map({ Username(checked: $0) }) {
                #expect(try await store.reportRows(run, of: name).isEmpty)
                #expect(try await store.notification(id, for: name) == nil)
            }
        },
        StorePromise("People see nothing before their wave begins") {
            test in
            let id = try await stageEight(test)
            let inbox = { (name: Username) async throws -> [NotificationID] in
                try await test.store.notifications(
                    for: name, isUnread: false, after: nil, limit: 9, at: time
                ).map(\.notification.id)
            }
            try await claim(test, run, wave: 2, limit: 1)
            #expect(try await inbox(names[4]) == [id])
            // These numbers are lower than those that were claimed.
            for name in those([1, 3, 6]) { #expect(try await inbox(name) == []) }
            try await claim(test, run, wave: 1, limit: 2)
            #expect(try await inbox(names[3]) == [id])
            #expect(try await inbox(names[6]) == [])
        },
        StorePromise("In another run with waves, only possible pushes count against the cap") {
            test in
            let all = Samples.names(10)
            let other = try await stageOther(test, all)
            try await claim(test, other, wave: 2, limit: 3)
            try await claim(test, other, wave: 1, limit: 2)
            try await test.store.record(
                [
                    Samples.record(1, .apns, .ended(.accepted)), Samples.record(2, .apns, .waiting),
                    Samples.record(6, .apns, .ended(.rejected)),
                ], requests: 3, of: other)
            try await test.stage(all)
            let page = try await test.store.claimNext(
                run, platform: .apns, limit: 10,
                cap: FrequencyCap(pushes: 1, period: .seconds(3_600)), at: time + 1_800)
            // People 1 and 3 of the first wave, and 4 and 6 of the second; 2 was refused.
            #expect(page.claims.map(\.number) == [2, 5, 7, 8, 9, 10])
            #expect(page.skipped == 4)
        },
        StorePromise("A few people are looked up one by one in another run's waves") { test in
            let all = Samples.names(2_000)
            let other = try await stageOther(test, all)
            try await claim(test, other, wave: 1, limit: 500)
            try await claim(test, other, wave: 2, limit: 250)
            try await test.stage([0, 499, 501, 998, 1_000, 1_999].map { all[$0] })
            let page = try await test.store.claimNext(
                run, platform: .apns, limit: 10,
                cap: FrequencyCap(pushes: 1, period: .seconds(3_600)), at: time + 1_800)
            #expect(page.claims.map(\.username) == [501, 1_000, 1_999].map { all[$0] })
            #expect(page.skipped == 3)
        },
    ]
}
