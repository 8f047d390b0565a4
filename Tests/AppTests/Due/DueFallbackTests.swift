import CampaignCore
import Foundation
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct DueFallbackTests {
    private static let message = "You have a new message"

    /// Now plus some seconds, after ``DuePlace/start``; runs are recorded by the machine's clock.
    private static func later(_ seconds: Double) -> Double {
        Date().timeIntervalSince(DuePlace.start) + seconds
    }

    private func write(_ place: DuePlace, audience: String = "usernames: [alice, bob, carol]")
        throws
    {
        try place.folder.write(
            """
            campaign: spring
            kind: secure
            platforms: [apns]
            audience: { \(audience) }
            payload: { text: Your statement is ready. }
            schedule: { at: "2027-01-15T08:30", time_zone: UTC }
            delivery: { fallback: { after: 30m, message: \(Self.message) } }
            """, to: "spring.yaml")
    }

    /// Sends the campaign, and lets somebody fetch.
    private func send(_ place: DuePlace, at hub: String) async throws -> RunRecord {
        #expect(await place.call(0, at: hub) == [])
        #expect(await place.call(1_860, at: hub) == ["done"])
        return try #require(try await place.runs().first)
    }

    private func fetch(_ name: String, of run: RunRecord, _ place: DuePlace) async throws {
        let person = Username(checked: name)
        let store = try place.store()
        let row = try #require(try await store.reportRows(run.id, of: person).first)
        let received = try #require(
            try await store.notificationWithoutContent(row.notification, for: person))
        try await store.record([Receipt(place: received.place, kind: .fetched, time: Date())])
    }

    @Test func whoHasNotFetchedGetsOneWhenItIsTimeAndThenNoMore() async throws {
        let place = try DuePlace()
        try write(place)
        try await place.withHub { hub in
            let run = try await send(place, at: hub)
            // If nobody has fetched, the backend has a problem.
            #expect(await place.call(Self.later(1_900), at: hub) == [])
            try await fetch("alice", of: run, place)
            #expect(await place.call(Self.later(1_700), at: hub) == [])
            // Carol is no longer in the audience.
            try write(place, audience: "usernames: [alice, bob]")
            #expect(await place.call(Self.later(1_900), at: hub) == ["done"])
            #expect(await place.call(Self.later(3_700), at: hub) == [])
            let runs = try await place.runs()
            let fallback = try #require(runs.last)
            #expect(runs.count == 2)
            #expect(fallback.occurrence == .fallback(of: run.id, number: 1))
            #expect(fallback.kind == .alert && fallback.recipients == 1)
            #expect(fallback.state == .finished && fallback.expires <= run.expires)
            let rows = try await place.store().reportPage(fallback.id, after: 0, recipients: 9).rows
            #expect(rows.map(\.recipient.text) == ["bob"])
        }
        #expect(place.said.isEmpty)
    }

    @Test func anExportThatIsEmptyForAMinuteIsToldOnceAndKeepsNobodyFromTheirs() async throws {
        let place = try DuePlace()
        try write(place)
        try await place.withHub { hub in
            let run = try await send(place, at: hub)
            try await fetch("alice", of: run, place)
            try place.folder.write("username\n", to: "people.csv")
            try write(place, audience: "files: [people.csv]")
            #expect(await place.call(Self.later(1_900), at: hub) == ["faults"])
            #expect(await place.call(Self.later(1_960), at: hub) == [])
            try place.folder.write("username\nalice\nbob\n", to: "people.csv")
            #expect(await place.call(Self.later(2_020), at: hub) == ["done"])
        }
        #expect(try await place.runs().map(\.recipients) == [3, 1])
    }

    @Test func whereAllHaveFetchedThereIsNoRunAndNoFurtherLook() async throws {
        let place = try DuePlace()
        try write(place, audience: "usernames: [alice]")
        try await place.withHub { hub in
            let run = try await send(place, at: hub)
            try await fetch("alice", of: run, place)
            #expect(await place.call(Self.later(1_900), at: hub) == [])
            let looked = place.connected
            #expect(await place.call(Self.later(1_960), at: hub) == [])
            #expect(place.connected == looked)
        }
        #expect(try await place.runs().count == 1)
    }
}
