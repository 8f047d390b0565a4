import CampaignCore
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import App

/// How a run is shown that the store calls running.
@Suite(.bounded) struct RunStandingTests {
    private let place: DuePlace

    init() throws { place = try DuePlace() }

    private func left() async throws -> (run: RunRecord, store: SQLiteStore) {
        let id = try await place.leave("spring", "aaaaaa", as: .once, .running)
        let store = try place.store()
        return (try #require(try await store.run(id)), store)
    }

    @Test func aRunThatNobodyWorksOnIsPaused() async throws {
        let (run, store) = try await left()
        let seen = await run.standing(in: store)
        #expect(seen.state == .paused)
        #expect(seen.reason?.contains("ended before the run did") == true)
        #expect(try await store.run(run.id)?.state == .running)
    }

    @Test func aRunThatIsWorkedOnIsRunning() async throws {
        let (run, store) = try await left()
        let held = try #require(try await store.campaignLock.acquire(campaign: run.campaign))
        #expect(await run.standing(in: store).state == .running)
        held.release()
    }

    /// Nobody works on a run between its last worker's leave and its end.
    @Test func aRunThatEndedSinceItWasReadIsShownAsItEnded() async throws {
        let (run, store) = try await left()
        try await store.setState(.finished, reason: nil, pause: nil, of: run.id, at: DuePlace.start)
        let seen = await run.standing(in: store)
        #expect(seen.state == .finished)
        #expect(seen.reason == nil)
    }
}
