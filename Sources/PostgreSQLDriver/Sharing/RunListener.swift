import Files
import PostgreSQLClient
import Storage
import Synchronization

/// Listens on a separate connection for runs that begin or continue.
///
/// The server notifies only current listeners, and a pooler may drop the message, so callers must
/// also check from time to time. The connection stays open, so nothing is missed between two waits.
final class RunListener: Sendable {
    /// The longest time that a thread keeps waiting after its task was cancelled.
    private static let step = Duration.milliseconds(500)

    private let session = Mutex<PostgreSQLSession?>(nil)

    /// Notifies all listeners, once the transaction is committed.
    static func tell(_ identity: String, _ db: PostgreSQLConnection) throws {
        try db.execute("SELECT pg_notify($1, '')", [channel(identity)])
    }

    private static func channel(_ identity: String) -> String { "hubsend runs \(identity)" }

    /// Waits for a notification, a timeout or a cancellation.
    ///
    /// The first call begins to listen and returns immediately, because earlier messages are
    /// unknown. After an error, the next call connects again.
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

    /// Closes the connection and ends a wait in progress.
    func close() {
        session.withLock { session in
            session?.close()
            session = nil
        }
    }
}
