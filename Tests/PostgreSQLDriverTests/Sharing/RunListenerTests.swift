import CampaignCore
import FoundationEssentials
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct RunListenerTests {
    /// Longer than a test is allowed to take.
    private static let forever = Duration.seconds(3_600)

    @Test("A listener wakes up when a run starts") func listenerWakesUpWhenARunStarts() async throws
    {
        let server = try await StoreOnServer()
        let (store, other) = (try server.open(), try server.open())
        let sharing = try #require(store.sharing)
        // A listener does not know what happened before it started.
        try await sharing.waitForRuns(atMost: Self.forever)
        let wait = Task { try await sharing.waitForRuns(atMost: Self.forever) }
        try await StoreUnderTest { other }.stage(Samples.names(1))
        try await wait.value
        #expect(try await sharing.openRuns(at: Samples.run().hub).count == 1)
    }

    @Test("A listener wakes up when a run continues")
    func listenerWakesUpWhenARunContinues() async throws {
        let shared = try await RunOnServer()
        let waiting = try shared.server.open()
        let sharing = try #require(waiting.sharing)
        try await sharing.waitForRuns(atMost: Self.forever)
        // Notifications between two waits are not lost.
        try await shared.store.setState(
            .running, reason: nil, of: shared.run.id, at: Samples.start + 1)
        try await sharing.waitForRuns(atMost: Self.forever)
    }

    @Test("A wait ends on timeout or cancellation")
    func waitEndsOnTimeoutOrCancellation() async throws {
        let store = try await StoreOnServer().open()
        let sharing = try #require(store.sharing)
        try await sharing.waitForRuns(atMost: Self.forever)
        try await sharing.waitForRuns(atMost: .milliseconds(1))
        let wait = Task { try await sharing.waitForRuns(atMost: Self.forever) }
        wait.cancel()
        try await wait.value
    }

    @Test("A listener that loses its connection notices it and reconnects")
    func listenerThatLosesItsConnectionNoticesItAndReconnects() async throws {
        let server = try await StoreOnServer()
        let store = try server.open()
        let sharing = try #require(store.sharing)
        try await sharing.waitForRuns(atMost: Self.forever)
        let wait = Task { try await sharing.waitForRuns(atMost: Self.forever) }
        // The listener's session is the last one with this statement; this waits until it has ended
        // (PostgreSQL 14 and later).
        try await server.execute(
            """
            SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
            WHERE query = 'LISTEN "hubsend runs \(store.identity)"'
            """)
        await #expect(throws: (any Error).self) { try await wait.value }
        try await sharing.waitForRuns(atMost: Self.forever)
        try await StoreUnderTest { try server.open() }.stage(Samples.names(1))
        try await sharing.waitForRuns(atMost: Self.forever)
    }
}
