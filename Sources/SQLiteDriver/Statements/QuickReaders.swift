import Foundation
import GRDB
import Storage
import Synchronization

/// Connections for short reads on the caller's thread, no more than there are cores.
///
/// A read through the pool begins and ends a transaction and checks the version of the schema,
/// which costs more than a lookup.
final class QuickReaders: Sendable {
    private struct State {
        var idle: [DatabaseQueue] = []
        /// The number of connections, including those in use.
        var open = 0
        var isClosed = false
    }

    /// The cache size in bytes, which is enough for the upper levels of the trees that a fetch goes
    /// through.
    private static let cacheSize = 8 << 20

    private let path: String
    private let configuration: Configuration
    private let most = ProcessInfo.processInfo.activeProcessorCount
    private let state = Mutex(State())

    /// Opens no connection yet; `configuration` must be read-only.
    init(path: String, configuration: Configuration) {
        self.path = path
        var configuration = configuration
        // Waiting would block the caller's thread.
        configuration.busyMode = .immediateError
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheSize / 1_024)")
        }
        self.configuration = configuration
    }

    /// Reads outside a transaction; returns nil if no connection is free immediately, or if the
    /// read would have to wait for the store.
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
            // The pool reports what is wrong, or it still has a connection.
            state.withLock { $0.open -= 1 }
            return nil
        }
    }

    private func putBack(_ reader: DatabaseQueue) {
        // Once the readers are closed, a connection closes with its last reference.
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
