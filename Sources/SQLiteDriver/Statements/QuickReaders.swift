import Foundation
import GRDB
import Storage
import Synchronization

/// Connections for short reads on the caller's thread, at most as many as there are cores.
///
/// A pool's read begins and ends a transaction and asks for the version of the schema, which costs
/// more than a look-up.
final class QuickReaders: Sendable {
    private struct State {
        var idle: [DatabaseQueue] = []
        /// Those in use count too.
        var open = 0
        var isClosed = false
    }

    /// In bytes; the upper levels of the trees that a fetch goes through.
    private static let cacheSize = 8 << 20

    private let path: String
    private let configuration: Configuration
    private let most = ProcessInfo.processInfo.activeProcessorCount
    private let state = Mutex(State())

    /// Opens nothing yet; `configuration` must be for reading only.
    init(path: String, configuration: Configuration) {
        self.path = path
        var configuration = configuration
        // Waiting would keep the caller's thread from others.
        configuration.busyMode = .immediateError
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheSize / 1_024)")
        }
        self.configuration = configuration
    }

    /// Reads outside of a transaction; nil when no connection can be had at once, or the store
    /// would have to be waited for.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value? {
        guard let reader = take() else { return nil }
        defer { putBack(reader) }
        return try reader.unsafeRead { db in
            do {
                return try body(db)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                return nil
            } catch {
                throw StoreError.translating(error, at: .store(path: path), db)
            }
        }
    }

    private func take() -> DatabaseQueue? {
        let (idle, mayOpen) = state.withLock { state in
            let idle = state.idle.popLast()
            let mayOpen = idle == nil && state.open < most && !state.isClosed
            if mayOpen { state.open += 1 }
            return (idle, mayOpen)
        }
        guard mayOpen else { return idle }
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            // The pool says what is wrong, or still has a connection.
            state.withLock { $0.open -= 1 }
            return nil
        }
    }

    private func putBack(_ reader: DatabaseQueue) {
        // Without others, it closes with its last reference.
        state.withLock { if !$0.isClosed { $0.idle.append(reader) } }
    }

    func close() throws {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for reader in idle { try reader.close() }
    }
}
