import CampaignCore
import Foundation
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver

/// Tests ordering an audience with time zones by waves.
@Suite(.bounded) struct ArrangementTests {
    private let folder: TemporaryFolder
    private let sorter: SQLiteSorter

    init() throws {
        folder = try TemporaryFolder()
        sorter = try SQLiteSorter(besideStoreAt: folder.file("store.sqlite"))
    }

    private static func member(_ name: String, _ zone: String?, line: Int = 1) -> AudienceMember {
        AudienceMember(
            username: Username(checked: name), values: ["dear \(name)"],
            language: LanguageTag("de"), zone: zone, origin: AudienceOrigin(file: 1, line: line))
    }

    /// Two in Berlin, one in Tokyo, two without a known zone, and an excluded person without a
    /// zone.
    private static let people = [
        member("erin", "Europe/Berlin"), member("alice", nil), member("dave", "Asia/Tokyo"),
        member("bob", "Europe/Berlin"), member("frank", nil), member("carol", nil),
    ]

    private func settle() async throws {
        try await sorter.add(Self.people)
        try await sorter.exclude([Self.people[5]])
        _ = try await sorter.settle(only: nil)
    }

    private func names(after number: Int = 0, limit: Int = 100) async throws -> [String] {
        try await sorter.page(after: number, limit: limit).map(\.username.text)
    }

    @Test("Recipients are counted by time zone") func recipientsAreCountedByTimeZone() async throws
    {
        #expect(await sorter.zones() == [])
        try await settle()
        #expect(
            await sorter.zones() == [
                ZoneCount(zone: nil, recipients: 2), ZoneCount(zone: "Asia/Tokyo", recipients: 1),
                ZoneCount(zone: "Europe/Berlin", recipients: 2),
            ])
    }

    @Test("Only the remaining people are counted for a time zone")
    func onlyTheRemainingPeopleAreCountedForATimeZone() async throws {
        try await sorter.add(Self.people)
        _ = try await sorter.settle(only: [Username(checked: "dave"), Username(checked: "zoe")])
        #expect(await sorter.zones() == [ZoneCount(zone: "Asia/Tokyo", recipients: 1)])
    }

    @Test("People are ordered by wave, then by name")
    func peopleAreOrderedByWaveThenByName() async throws {
        try await settle()
        #expect(try await names() == ["alice", "bob", "dave", "erin", "frank"])
        try await sorter.arrange([["Asia/Tokyo"], ["Europe/Berlin", nil]])
        #expect(try await names() == ["dave", "alice", "bob", "erin", "frank"])
        // Pages continue across the ends of waves, and numbers have no gaps.
        #expect(try await names(after: 0, limit: 2) == ["dave", "alice"])
        #expect(try await names(after: 2, limit: 2) == ["bob", "erin"])
        #expect(try await names(after: 5) == [])
    }

    @Test("One arrangement of the people can replace another")
    func oneArrangementOfThePeopleCanReplaceAnother() async throws {
        try await settle()
        try await sorter.arrange([["Europe/Berlin"], [nil], ["Asia/Tokyo"]])
        #expect(try await names() == ["bob", "erin", "alice", "frank", "dave"])
        try await sorter.arrange([[nil], ["Europe/Berlin"], ["Asia/Tokyo"]])
        #expect(try await names() == ["alice", "frank", "bob", "erin", "dave"])
        try await sorter.arrange([[nil, "Asia/Tokyo", "Europe/Berlin"]])
        #expect(try await names() == ["alice", "bob", "dave", "erin", "frank"])
        try await sorter.clear()
        #expect(await sorter.zones() == [])
        try await settle()
        #expect(try await names() == ["alice", "bob", "dave", "erin", "frank"])
    }

    @Test("Sorting keeps all data of a person") func sortingKeepsAllDataOfAPerson() async throws {
        try await settle()
        try await sorter.arrange([["Europe/Berlin"], ["Asia/Tokyo"], [nil]])
        #expect(
            try await sorter.page(after: 0, limit: 9)
                == [3, 0, 2, 1, 4].map { Self.people[$0] })
    }

    @Test("A different time zone counts as a conflicting value")
    func differentTimeZoneCountsAsAConflictingValue() async throws {
        try await sorter.add([
            Self.member("alice", "Asia/Tokyo", line: 1), Self.member("bob", nil, line: 2),
            Self.member("alice", "Europe/Berlin", line: 3), Self.member("bob", nil, line: 4),
        ])
        _ = try await sorter.settle(only: nil)
        let conflicts = await sorter.valueConflicts()
        #expect(conflicts.examples.map(\.other.origin.line) == [3])
        #expect(
            await sorter.zones() == [
                ZoneCount(zone: nil, recipients: 1), ZoneCount(zone: "Asia/Tokyo", recipients: 1),
            ])
    }

    /// More people than fit into the cache.
    @Test("A large audience is arranged in the same way as a small one")
    func largeAudienceIsArrangedInTheSameWayAsASmallOne() async throws {
        let sorter = try SQLiteSorter(besideStoreAt: folder.file("store.sqlite"), cache: 65_536)
        let zones = (0..<24).map { "Etc/GMT+\($0)" }
        let names = Samples.names(6_000)
        let members = names.enumerated().map { index, name in
            AudienceMember(
                username: name, zone: zones[index * 7 % 24],
                origin: AudienceOrigin(file: 1, line: index + 1))
        }
        try await sorter.add(members.shuffled())
        _ = try await sorter.settle(only: nil)
        #expect(await sorter.zones().map(\.recipients) == Array(repeating: 250, count: 24))
        try await sorter.arrange(zones.reversed().map { [$0] })
        let expected = zones.reversed().flatMap { zone in members.filter { $0.zone == zone } }
        var found: [AudienceMember] = []
        while true {
            let page = try await sorter.page(after: found.count, limit: 1_000)
            if page.isEmpty { break }
            found += page
        }
        #expect(found == expected)
    }
}
