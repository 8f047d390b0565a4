import CampaignCore
import Files
import PostgreSQLClient
import Storage
import Synchronization

/// Hears of runs that begin or go on, on a connection of its own.
///
/// The server tells only those who listen at that moment, and a pooler in between may swallow the message. So whoever waits also has to
/// look by itself now and then. Nothing is missed between two waits, since the connection stays open.
final class RunListener: Sendable {
    /// The longest time that a thread goes on waiting after its task was cancelled.
    private static let step = Duration.milliseconds(500)

    private let session = Mutex<PostgreSQLSession?>(nil)

    /// Tells everybody who listens, once the transaction is committed.
    ///
    /// - Parameters:
    ///   - identity: the store's identity.
    ///   - db: the connection, in a transaction that writes.
    static func tell(_ identity: String, _ db: PostgreSQLConnection) throws {
        try db.execute("SELECT pg_notify($1, '')", [channel(identity)])
    }

    private static func channel(_ identity: String) -> String { "hubsend runs \(identity)" }

    /// Waits until the server tells something, the time has passed, or the task is cancelled.
    ///
    /// The first call begins to listen and returns at once, since it does not know what was told before.
    ///
    /// - Parameters:
    ///   - time: how long at most.
    ///   - store: the store.
    /// - Throws: ``StoreError``, even when the connection broke; the next call connects again.
    func wait(atMost time: Duration, of store: PostgreSQLStore) async throws {
        let isOver = Mutex(false)
        do {
            try await withTaskCancellationHandler {
                try await BlockingWork.runUnlessCancelled { [self] in
                    try waitOnThread(until: .now + time, of: store) { isOver.withLock(\.self) }
                }
            } onCancel: {
                isOver.withLock { $0 = true }
            }
        } catch is CancellationError {
            return
        } catch {
            throw StoreError.translating(error, at: store.place)
        }
    }

    private func waitOnThread(
        until end: ContinuousClock.Instant, of store: PostgreSQLStore, isOver: () -> Bool
    ) throws {
        guard let session = session.withLock(\.self) else {
            let session = try store.pool.dedicatedConnection()
            let channel = Self.channel(store.identity).replacing("\"", with: "\"\"")
            try session.withConnection { try $0.executeScript("LISTEN \"\(channel)\"") }
            self.session.withLock { $0 = session }
            return
        }
        do {
            while !isOver() {
                let left = min(end - .now, Self.step)
                guard left > .zero else { return }
                let heard = try session.withConnection { try $0.notifications(within: left) }
                if !heard.isEmpty { return }
            }
        } catch {
            close()
            throw error
        }
    }

    /// Ends the connection; a wait that is under way throws.
    func close() {
        let session = session.withLock { session in
            defer { session = nil }
            return session
        }
        session?.close()
    }
}
