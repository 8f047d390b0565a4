import CampaignCore
import FoundationEssentials
import Testing

extension StorePromise {
    private static let names = Samples.names(3)
    private static let alice = names[1]
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz234567")

    /// Another run of another campaign; the suffixes sort in the same order as the numbers.
    private static func run(
        _ number: Int, kind: CampaignKind = .rich, platforms: [Platform] = [.apns]
    ) -> RunRecord {
        let suffix = "aaaa\(letters[number / 32])\(letters[number % 32])"
        return Samples.run(suffix, campaign: "c\(number)", kind: kind, platforms: platforms)
    }

    private static func inbox(
        _ test: StoreUnderTest, isUnread: Bool = false, after last: NotificationID? = nil,
        limit: Int = 100, at now: Date = Samples.start + 60
    ) async throws -> [NotificationID] {
        try await test.store.notifications(
            for: alice, isUnread: isUnread, after: last, limit: limit, at: now
        ).map(\.notification.id)
    }

    package static let inbox = [
        StorePromise("An inbox lists a person's notifications, newest run first") {
            test in
            let first = try await test.stage(names, of: run(0))
            let second = try await test.stagePersonal(names, of: run(1))
            for number in 0...1 { try await test.accept(1...3, of: run(number).id) }
            try await test.receive(first, [.fetched], by: alice)
            let found = try await test.reopen().notifications(
                for: alice, isUnread: false, after: nil, limit: 10, at: Samples.start)
            #expect(found.map(\.notification.id) == [second[1], first])
            #expect(found.map(\.notification.texts.message) == ["dear \(alice)", "Hi"])
            #expect(found.map(\.notification.type) == ["t-\(alice)", "text"])
            #expect(found.map(\.notification.recipient) == [alice, nil])
            #expect(found.allSatisfy { $0.notification.bytes == nil })
            #expect(found.allSatisfy { $0.notification.mediaType == "text/plain" })
            #expect(found.map(\.fetched) == [nil, Samples.start + 120])
            let again = try await test.store.notification(first, for: alice)
            #expect(found.last?.place == again?.place)
        },
        StorePromise("An inbox does not show notifications that did not reach the hub") { test in
            let outcomes: [(DeliveryRecord.State?, isSeen: Bool)] = [
                (nil, true), (.waiting, true), (.ended(.accepted), true), (.ended(.unknown), true),
                (.ended(.rejected), false), (.ended(.failed), false), (.ended(.skipped), false),
                (.ended(.notAttempted), false),
            ]
            var seen: [NotificationID] = []
            for (number, outcome) in outcomes.enumerated() {
                let run = run(number)
                let id = try await test.stage(names, of: run)
                _ = try await test.store.claimNext(run.id, platform: .apns, limit: 2)
                if let state = outcome.0 {
                    try await test.store.record(
                        [Samples.record(2, .apns, state)], requests: 1, of: run.id)
                }
                if outcome.isSeen { seen.insert(id, at: 0) }
            }
            try await test.stage(names, of: run(outcomes.count))
            _ = try await test.store.claimNext(run(outcomes.count).id, platform: .apns, limit: 1)
            #expect(try await inbox(test) == seen)
        },
        StorePromise("A notification accepted for one platform is shown") { test in
            let run = run(0, platforms: [.wns, .apns])
            let id = try await test.stage(names, of: run)
            _ = try await test.store.claimNext(run.id, platform: .wns, limit: 3)
            try await test.store.record(
                [Samples.record(2, .wns, .ended(.rejected))], requests: 1, of: run.id)
            #expect(try await inbox(test) == [])
            try await test.accept(1...2, of: run.id)
            #expect(try await inbox(test) == [id])
        },
        StorePromise("An inbox does not show expired or revoked notifications or alerts") { test in
            var ids: [NotificationID] = []
            for number in 0..<4 {
                let run = run(number, kind: number == 3 ? .alert : .rich)
                ids.append(try await test.stage(names, of: run))
                try await test.accept(1...3, of: run.id)
            }
            try await test.store.revoke(run(0).id, at: Samples.start)
            #expect(try await test.store.revoke(ids[1], at: Samples.start))
            #expect(try await inbox(test) == [ids[2]])
            #expect(try await inbox(test, at: Samples.start + 604_799) == [ids[2]])
            #expect(try await inbox(test, at: Samples.start + 604_800) == [])
        },
        StorePromise("Reading a notification marks it as read; fetching does not") { test in
            var ids: [NotificationID] = []
            for number in 0..<3 {
                ids.insert(try await test.stage(names, of: run(number)), at: 0)
                try await test.accept(1...3, of: run(number).id)
            }
            try await test.receive(ids[0], [.fetched], by: alice)
            try await test.receive(ids[1], [.read], by: alice)
            try await test.receive(ids[2], [.read], by: names[0])
            #expect(try await inbox(test, isUnread: true) == [ids[0], ids[2]])
            #expect(try await inbox(test) == ids)
        },
        StorePromise("A page continues after the last ID, across any number of runs") { test in
            var mine: [NotificationID] = []
            for number in 0..<150 {
                let isMine = number < 3 || number > 145
                let id = try await test.stage(isMine ? names : [names[0]], of: run(number))
                try await test.accept(1...(isMine ? 3 : 1), of: run(number).id)
                if isMine { mine.insert(id, at: 0) }
            }
            var found: [NotificationID] = []
            while true {
                let page = try await inbox(test, after: found.last, limit: 3)
                if page.isEmpty { break }
                #expect(page.count <= 3)
                found += page
            }
            #expect(found == mine)
            #expect(try await inbox(test, limit: 0) == [])
        },
        StorePromise("A page after an unknown ID or another person's ID is empty") { test in
            let ids = try await test.stagePersonal(names, of: run(1))
            try await test.stage(names, of: run(0))
            for number in 0...1 { try await test.accept(1...3, of: run(number).id) }
            #expect(try await inbox(test, after: ids[0]) == [])
            #expect(try await inbox(test, after: .placeholder) == [])
        },
    ]
}
