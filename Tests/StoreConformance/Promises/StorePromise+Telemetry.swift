import CampaignCore
import FoundationEssentials
import Testing

extension StorePromise {
    private static let run = Samples.runID()
    private static let names = Samples.names(4)

    package static let telemetry = [
        StorePromise(
            "Results are requested only for accepted deliveries with a hub message, in pages"
        ) {
            test in
            try await test.stage(names)
            _ = try await test.store.claimNext(run, platform: .apns, limit: 4)
            try await test.store.record(
                [
                    Samples.record(1, .apns, .ended(.accepted), hubMessage: "m-1"),
                    Samples.record(2, .apns, .ended(.rejected), hubMessage: "m-2"),
                    Samples.record(3, .apns, .ended(.accepted)),
                    Samples.record(4, .apns, .ended(.accepted), hubMessage: "m-4"),
                ], requests: 4, of: run)
            func untold(after number: Int) async throws -> [SentMessage] {
                try await test.store.untold(run, platform: .apns, after: number, limit: 1)
            }
            #expect(
                try await untold(after: 0) == [SentMessage(platform: .apns, number: 1, id: "m-1")])
            #expect(
                try await untold(after: 1) == [SentMessage(platform: .apns, number: 4, id: "m-4")])
            #expect(try await untold(after: 4).isEmpty)
        },
        StorePromise("Known results are in the report, and only unknown results are requested") {
            test in
            try await test.stage(names)
            _ = try await test.store.claimNext(run, platform: .apns, limit: 3)
            try await test.store.record(
                (1...3).map {
                    Samples.record($0, .apns, .ended(.accepted), hubMessage: "m-\($0)")
                }, requests: 3, of: run)
            let sent = try await test.store.untold(run, platform: .apns, after: 0, limit: 9)
            let fates: [MessageFate] = [.ended("Success"), .unknown, .shared]
            try await test.store.record(
                zip(sent, fates).map { (message: $0, fate: $1) }, of: run, at: Samples.start + 90)
            // The first result is kept.
            try await test.store.record(
                [(message: sent[0], fate: .ended("WrongToken"))], of: run, at: Samples.start + 91)
            let later = try test.reopen()
            #expect(try await later.untold(run, platform: .apns, after: 0, limit: 9) == [sent[1]])
            let rows = try await later.reportPage(run, after: 0, recipients: 4).rows
            #expect(
                rows.filter { $0.platform == .apns }.map(\.pushServices)
                    == ["Success", nil, nil, nil])
        },
    ]
}
