import CampaignCore
import GRDB
import Storage
import Synchronization

/// The runs from which inbox lists are made, cached from one list to the next.
///
/// A person is in few of these runs, so a filter of names for each run avoids most lookups. Each
/// list reads some more names into the filters.
final class InboxRuns: Sendable {
    struct Run: Sendable {
        let key: Int64
        /// The start, in milliseconds since 1970.
        let started: Int64
        let expires: Int64
        fileprivate let names: NameFilter?
    }

    private struct State {
        /// The runs by connection; the version shows whether another connection has changed the
        /// store since.
        var runs: [ObjectIdentifier: (version: Int, runs: [Run])] = [:]
        var filters: [String: NameFilter] = [:]
    }

    /// The maximum size of all filters in bytes; older runs have no filter.
    private static let mostOfFilters = 32 << 20
    /// How many names a list reads for later lists, which takes about a tenth of a millisecond.
    private static let namesAtOnce = 500

    /// The maximum number of runs, newest first, so that no caller can make the server search
    /// everything.
    private let most: Int
    private let state = Mutex(State())

    init(most: Int) {
        self.most = most
    }

    /// Runs that a person may be in, newest first; some may have expired.
    ///
    /// - Parameter db: a connection that stays open as long as the store.
    func runs(of person: Username, at time: Int64, _ db: Database) throws -> [Run] {
        let runs = try current(at: time, db)
        var left = Self.namesAtOnce
        for run in runs where left > 0 {
            left -= try run.names?.read(left, of: run.key, db) ?? 0
        }
        let hash = NameFilter.hash(person.text)
        return runs.filter { $0.names?.mayContain(hash) ?? true }
    }

    private func current(at time: Int64, _ db: Database) throws -> [Run] {
        let connection = ObjectIdentifier(db)
        let version = try db.row("PRAGMA data_version") { try $0.int(0) } ?? 0
        let known = state.withLock { $0.runs[connection] }
        if let known, known.version == version { return known.runs }
        let rows = try db.rows(Self.fetchable, [time, most]) { row in
            (
                key: try row.int64(0), started: try row.int64(1), expires: try row.int64(2),
                id: try row.text(3), people: try row.int(4)
            )
        }
        return state.withLock { state in
            let old = state.filters
            state.filters = [:]
            var room = Self.mostOfFilters
            let runs = rows.map { row in
                // A later run may reuse a key, but an id is never reused.
                let filter = old[row.id] ?? NameFilter(people: row.people)
                room -= filter.byteCount
                if room >= 0 { state.filters[row.id] = filter }
                return Run(
                    key: row.key, started: row.started, expires: row.expires,
                    names: state.filters[row.id])
            }
            state.runs[connection] = (version, runs)
            return runs
        }
    }

    /// The query uses an index that skips expired runs.
    static let fetchable = """
        SELECT key, started, expires, id, final FROM runs INDEXED BY runs_fetchable
        WHERE expires > ?1 AND \(StoredRun.isFetchable)
        ORDER BY started DESC, key DESC LIMIT ?2
        """
}

/// A Bloom filter of a run's names, which excludes nobody until all names are read.
private final class NameFilter: Sendable {
    private struct State {
        /// Empty until the first name is read.
        var words: [UInt64] = []
        var lastNumber = 0
        var isRead = false
        var isBeingRead = false
    }

    /// The number of bits set for each name.
    ///
    /// With at least eight bits per person, the filter lets about one in forty other names pass.
    private static let probes = 4

    private let wordCount: Int
    private let state = Mutex(State())

    init(people: Int) {
        var words = 1
        while words * 8 < people { words *= 2 }
        wordCount = words
    }

    var byteCount: Int { wordCount * 8 }

    static func hash(_ name: String) -> UInt64 { UInt64(bitPattern: Int64(name.hashValue)) }

    func mayContain(_ hash: UInt64) -> Bool {
        state.withLock { state in
            !state.isRead || places(hash).allSatisfy { state.words[$0.word] & $0.bit != 0 }
        }
    }

    /// Reads the next names unless another caller is doing so; returns how many.
    func read(_ limit: Int, of run: Int64, _ db: Database) throws -> Int {
        let last = state.withLock { state -> Int? in
            guard !state.isRead, !state.isBeingRead else { return nil }
            state.isBeingRead = true
            return state.lastNumber
        }
        guard var last else { return 0 }
        var (hashes, areAll): ([UInt64], Bool) = ([], false)
        defer {
            state.withLock { state in
                if state.words.isEmpty { state.words = Array(repeating: 0, count: wordCount) }
                for hash in hashes {
                    for place in places(hash) { state.words[place.word] |= place.bit }
                }
                state.lastNumber = last
                (state.isRead, state.isBeingRead) = (areAll, false)
            }
        }
        try db.stream(
            """
            SELECT number, name FROM recipients
            WHERE run = ?1 AND number > ?2 ORDER BY number LIMIT ?3
            """, [run, last, limit]
        ) { row in
            hashes.append(Self.hash(try row.text(1)))
            last = try row.int(0)
        }
        areAll = hashes.count < limit
        return hashes.count
    }

    private func places(_ hash: UInt64) -> some Sequence<(word: Int, bit: UInt64)> {
        (0..<UInt64(Self.probes)).lazy.map { [wordCount] probe in
            // Two halves of one hash are as good as several hashes.
            let place = (hash >> 32 | 1) &* probe &+ hash
            return (Int(truncatingIfNeeded: place >> 6) & (wordCount - 1), 1 << (place & 63))
        }
    }
}
