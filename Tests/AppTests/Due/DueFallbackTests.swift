import CampaignCore
import Foundation
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct DueFallbackTests {
    private static let message = "You have a new message"

    /// A time in the future, in seconds after ``DueFixture/start``.
    ///
    /// It depends on the machine's clock, because runs are recorded with that clock.
    private static func later(_ seconds: Double) -> Double {
        Date().timeIntervalSince(DueFixture.start) + seconds
    }

    private func write(_ fixture: DueFixture, audience: String = "usernames: [alice, bob, carol]")
        throws
    {
        try fixture.folder.write(
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

    /// Sends the campaign, and lets some people fetch the payload.
    private func send(_ fixture: DueFixture, at hub: String) async throws -> RunRecord {
        #expect(await fixture.call(0, at: hub) == [])
        #expect(await fixture.call(1_860, at: hub) == ["done"])
        return try #require(try await fixture.runs().first)
    }

    private func fetch(_ name: String, of run: RunRecord, _ fixture: DueFixture) async throws {
        let person = Username(checked: name)
        let store = try fixture.store()
        let row = try #require(try await store.reportRows(run.id, of: person).first)
        let received = try #require(
            try await store.notification(row.notification, for: person, hasContent: false))
        try await store.record([Receipt(place: received.place, kind: .fetched, time: Date())])
    }

    @Test("People who have not fetched get one fallback when it is due")
    func peopleWhoHaveNotFetchedGetOneFallbackWhenItIsDue() async throws {
        let fixture = try DueFixture()
        try write(fixture)
        try await fixture.withHub { hub in
            let run = try await send(fixture, at: hub)
            // If nobody has fetched the payload, the backend may be broken, so no fallback is sent.
            #expect(await fixture.call(Self.later(1_900), at: hub) == [])
            try await fetch("alice", of: run, fixture)
            #expect(await fixture.call(Self.later(1_700), at: hub) == [])
            // Carol is no longer in the audience.
            try write(fixture, audience: "usernames: [alice, bob]")
            #expect(await fixture.call(Self.later(1_900), at: hub) == ["done"])
            #expect(await fixture.call(Self.later(3_700), at: hub) == [])
            let runs = try await fixture.runs()
            let fallback = try #require(runs.last)
            #expect(runs.count == 2)
            #expect(fallback.occurrence == .fallback(of: run.id, number: 1))
            #expect(fallback.kind == .alert && fallback.recipients == 1)
            #expect(fallback.state == .finished && fallback.expires <= run.expires)
            let rows = try await fixture.store().reportPage(fallback.id, after: 0, recipients: 9)
                .rows
            #expect(rows.map(\.recipient.text) == ["bob"])
        }
        #expect(fixture.said.isEmpty)
    }

    @Test("A briefly empty export is reported once, and the fallback is sent later")
    func brieflyEmptyExportIsReportedOnceAndTheFallbackIsSentLater() async throws {
        let fixture = try DueFixture()
        try write(fixture)
        try await fixture.withHub { hub in
            let run = try await send(fixture, at: hub)
            try await fetch("alice", of: run, fixture)
            try fixture.folder.write("username\n", to: "people.csv")
            try write(fixture, audience: "files: [people.csv]")
            #expect(await fixture.call(Self.later(1_900), at: hub) == ["faults"])
            #expect(await fixture.call(Self.later(1_960), at: hub) == [])
            try fixture.folder.write("username\nalice\nbob\n", to: "people.csv")
            #expect(await fixture.call(Self.later(2_020), at: hub) == ["done"])
        }
        #expect(try await fixture.runs().map(\.recipients) == [3, 1])
    }

    @Test("If everybody has fetched, no fallback is sent")
    func ifEverybodyHasFetchedNoFallbackIsSent() async throws {
        let fixture = try DueFixture()
        try write(fixture, audience: "usernames: [alice]")
        try await fixture.withHub { hub in
            let run = try await send(fixture, at: hub)
            try await fetch("alice", of: run, fixture)
            #expect(await fixture.call(Self.later(1_900), at: hub) == [])
            let looked = fixture.connected
            #expect(await fixture.call(Self.later(1_960), at: hub) == [])
            #expect(fixture.connected == looked)
        }
        #expect(try await fixture.runs().count == 1)
    }
}
