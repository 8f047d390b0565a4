import CampaignCore
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import App

/// Tests the state that is shown for a run that is `running` according to the store.
@Suite(.bounded) struct RunLiveStateTests {
    private let place: DueFixture

    init() throws { place = try DueFixture() }

    private func left() async throws -> (run: RunRecord, store: SQLiteStore) {
        let id = try await place.leave("spring", "aaaaaa", as: .once, .running)
        let store = try place.store()
        return (try #require(try await store.run(id)), store)
    }

    @Test("A running run without a process is shown as paused")
    func runningRunWithoutAProcessIsShownAsPaused() async throws {
        let (run, store) = try await left()
        let seen = await run.withLiveState(in: store)
        #expect(seen.state == .paused)
        #expect(seen.reason?.contains("ended before the run was finished") == true)
        #expect(try await store.run(run.id)?.state == .running)
    }

    @Test("A run with a process is shown as running")
    func runWithAProcessIsShownAsRunning() async throws {
        let (run, store) = try await left()
        let held = try #require(try await store.campaignLock.acquire(campaign: run.campaign))
        #expect(await run.withLiveState(in: store).state == .running)
        held.release()
    }

    /// Between the last worker's leaving and the run's end, no process works on the run.
    @Test("If a run has ended since it was read, its new state is shown")
    func ifARunHasEndedSinceItWasReadItsNewStateIsShown() async throws {
        let (run, store) = try await left()
        try await store.setState(
            .finished, reason: nil, pause: nil, of: run.id, at: DueFixture.start)
        let seen = await run.withLiveState(in: store)
        #expect(seen.state == .finished)
        #expect(seen.reason == nil)
    }
}
