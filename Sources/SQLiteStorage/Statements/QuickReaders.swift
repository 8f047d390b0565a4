import Foundation
import GRDB
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
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheSize / 1_024)")
        }
        self.configuration = configuration
    }

    /// Reads outside of a transaction; nil when all connections are in use, or closed.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value? {
        guard let reader = try take() else { return nil }
        defer { state.withLock { $0.idle.append(reader) } }
        return try reader.unsafeRead(body)
    }

    private func take() throws -> DatabaseQueue? {
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
            state.withLock { $0.open -= 1 }
            throw error
        }
    }

    /// Must not be called while somebody reads.
    func close() throws {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for reader in idle { try reader.close() }
    }
}
