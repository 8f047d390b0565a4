import CampaignCore
import Testing

extension StorePromise {
    private static let run = Samples.runID()

    private static func people(
        in store: any StoreUnderTest.Store, _ outcomes: Set<Outcome>? = nil, fetched: Bool? = nil,
        page: Int = 2
    ) async throws -> [Username] {
        var found: [Username] = []
        var last = 0
        while true {
            let next = try await store.people(
                of: run, with: outcomes, fetched: fetched, after: last, recipients: page)
            found += next.people
            guard let number = next.last else { return found }
            #expect(number > last)
            last = number
        }
    }

    package static let people = [
        StorePromise("A run's people are in name order, with any page size") { test in
            let names = Samples.names(7)
            try await test.stage(names)
            let store = try test.reopen()
            for page in [1, 3, 7, 100] {
                #expect(try await people(in: store, page: page) == names)
            }
        },
        StorePromise("A run's people can be filtered by outcome") { test in
            let names = Samples.names(5)
            try await test.stage(names)
            try await test.accept(1...4, of: run)
            try await test.accept(1...3, of: run, on: .fcm)
            try await test.store.record(
                [
                    Samples.record(2, .fcm, .ended(.rejected)),
                    Samples.record(3, .fcm, .ended(.failed)),
                    Samples.skipped(4, .apns, .notAskedFor),
                ], requests: 3, of: run)
            let store = try test.reopen()
            #expect(try await people(in: store, [.accepted]) == Array(names[..<3]))
            #expect(try await people(in: store, [.rejected, .failed]) == Array(names[1...2]))
            // Withheld deliveries are not counted as outcomes.
            #expect(try await people(in: store, [.skipped]).isEmpty)
            #expect(try await people(in: store, [.notAttempted]) == Array(names[3...]))
            #expect(try await people(in: store, []).isEmpty)
        },
        StorePromise("A run's people can be filtered by whether they fetched") { test in
            let names = Samples.names(4)
            let id = try await test.stage(names)
            try await test.accept(1...2, of: run)
            try await test.receive(id, [.fetched], by: names[1])
            try await test.receive(id, [.read], by: names[2])
            let store = try test.reopen()
            #expect(try await people(in: store, fetched: true) == [names[1]])
            #expect(try await people(in: store, fetched: false) == [names[0], names[2], names[3]])
            #expect(try await people(in: store, [.accepted], fetched: false) == [names[0]])
            #expect(try await people(in: store, [.accepted], fetched: true) == [names[1]])
        },
    ]
}
