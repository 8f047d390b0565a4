import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

/// A part's reaction to a commit with an unknown result.
@Suite(.bounded, .postgreSQL, .enabled(if: InstalledTool.areThere("python3")))
struct LostAnswerTests {
    /// A part whose connection is cut.
    private static func join(
        _ shared: RunOnServer, by cutter: AnswerCutter
    ) async throws -> ServerPart {
        var options = shared.server.options
        options.connections = 1
        let store = try PostgreSQLStore.open(at: cutter.address, options: options)
        let process = WorkerProcess(host: "cut", number: 1, version: "1")
        let part = try await store.sharing?.join(shared.run.id, as: process, holding: nil)
        return try #require(part as? ServerPart)
    }

    @Test("A write whose response was lost is stored once", arguments: AnswerCutter.Moment.allCases)
    func writeWhoseResponseWasLostIsStoredOnce(moment: AnswerCutter.Moment) async throws {
        let shared = try await RunOnServer(people: 40)
        let cutter = try await AnswerCutter(moment, before: shared.server.address)
        let part = try await Self.join(shared, by: cutter)
        let member = part.member

        try cutter.arm()
        let page = try await part.claim(10)
        #expect(!cutter.isArmed)
        #expect(page.claims.map(\.number) == Array(1...10))
        #expect(page.claims.map(\.username) == Array(Samples.names(10)))
        #expect(page.id == 1)
        #expect(try await part.claim(10).claims.map(\.number) == Array(11...20))
        #expect(try await shared.count("claimed_pages") == 2)

        try cutter.arm()
        try await part.record(Array(1...4), .waiting)
        #expect(!cutter.isArmed)
        try cutter.arm()
        try await part.record(Array(5...20), .ended(.accepted))
        #expect(!cutter.isArmed)
        try cutter.arm()
        try await part.claimAgain([1])
        #expect(!cutter.isArmed)
        try cutter.arm()
        try await part.letGo([2, 3], on: .apns)
        #expect(!cutter.isArmed)
        #expect(
            try await shared.rows().prefix(5) == [
                .init(number: 1, state: .sending, member: member),
                .init(number: 2, state: .waiting), .init(number: 3, state: .waiting),
                .init(number: 4, state: .waiting, member: member),
                .init(number: 5, state: .ended(.accepted)),
            ])
        try cutter.arm()
        #expect(try await part.adopt().map(\.number) == [2, 3])
        #expect(!cutter.isArmed)
        #expect(try await part.adopt().isEmpty)

        let gone = try await shared.join()
        _ = try await gone.claim(6)
        try await gone.record([21], .waiting)
        try await gone.claimAgain([21])
        try await gone.leave()
        // First it takes over the part, then it settles deliveries without a row, and then those
        // with one.
        try cutter.arm(after: 1)
        #expect(try await part.settle() == 6)
        #expect(!cutter.isArmed)
        let uncertain = try await shared.rows().filter(\.isUncertain)
        #expect(uncertain.map(\.number) == Array(21...26))
        #expect(uncertain.map(\.attempts) == [2, 1, 1, 1, 1, 1])
        #expect(try await shared.count("claimed_pages") == 2)
        #expect(try await shared.store.check().damage == [])
    }

    @Test(
        "A skipped person is counted once after a lost response",
        arguments: AnswerCutter.Moment.allCases)
    func skippedPersonIsCountedOnceAfterALostResponse(moment: AnswerCutter.Moment) async throws {
        let names = Samples.names(30)
        let other = Samples.run("others", campaign: "winter-sale", platforms: [.apns])
        let shared = try await RunOnServer { test in
            try await test.stage(Array(names[..<10]), of: other)
            try await test.accept(1...10, of: other.id)
            try await test.stage(names, of: Samples.run(platforms: [.apns]))
        }
        let cap = FrequencyCap(pushes: 1, period: .seconds(3_600))
        let cutter = try await AnswerCutter(moment, before: shared.server.address)
        let part = try await Self.join(shared, by: cutter)
        try cutter.arm()
        let page = try await part.claim(5, cap: cap)
        #expect(!cutter.isArmed)
        #expect(page.claims.map(\.number) == Array(11...15))
        #expect(page.skipped == 10)
        #expect(try await part.claim(99, cap: cap).claims.map(\.number) == Array(16...30))
        #expect(try await shared.rows().count == 10)
        #expect(try await shared.count("claimed_pages", where: "member IS NOT NULL") == 2)
    }
}
