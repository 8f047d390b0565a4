import Files
import GRDB
import Storage

/// A small file next to the store that records how many times the store has saved
/// (``StoreProgress``).
///
/// The last changes are only in the log. If the log is lost, SQLite opens an earlier state, and
/// hubsend would send to people a second time; the mark reveals the loss. It is written after each
/// commit without a sync, so after a power failure it may be behind the store, but never ahead.
struct StoreMark {
    enum Reading: Equatable {
        /// Nothing was sent yet, or the store was copied without its mark.
        case missing
        /// The mark is empty: somebody wants to continue with the store as it is, or the content
        /// was lost in a power failure.
        case void
        case saved(Int)

        var isSaved: Bool {
            if case .saved(let saved) = self { saved > 0 } else { false }
        }
    }

    private static let beginning = "hubsend store "
    /// All marks have this length, so that a new mark replaces the old one completely.
    private static let digits = 20

    let path: String

    init(besideStoreAt path: String) {
        self.path = path + ".mark"
    }

    private var place: StoreComponent { .mark(path: path) }

    func read() throws(StoreError) -> Reading {
        let bytes = try place.access { () throws(SystemError) in
            try OpenFile.find(path, for: .reading, followingLinks: false)?.beginning(64)
        }
        guard let bytes else { return .missing }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix(Self.beginning), text.hasSuffix("\n"),
            let saved = Int(text.dropFirst(Self.beginning.count).dropLast())
        else { return .void }
        return .saved(saved)
    }

    /// Records how many times the store has durably saved.
    func note(_ saved: Int) {
        let zeros = String(repeating: "0", count: max(0, Self.digits - "\(saved)".count))
        do throws(SystemError) {
            try OpenFile(path, for: .locking, followingLinks: false)
                .write("\(Self.beginning)\(zeros)\(saved)\n".utf8, at: 0)
        } catch {
            // An outdated mark only reveals less, and the next commit writes it again.
            return
        }
    }
}

/// How many times the store has saved changes of runs, a number that only grows.
enum StoreProgress {
    static let table = """
        CREATE TABLE IF NOT EXISTS progress (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            saved INTEGER NOT NULL
        ) STRICT;
        INSERT OR IGNORE INTO progress (only, saved) VALUES (1, 0);
        """

    /// Increments the count in the transaction that saves.
    static func advance(_ db: Database) throws -> Int {
        try db.run("UPDATE progress SET saved = saved + 1")
        return try saved(db)
    }

    static func saved(_ db: Database) throws -> Int {
        let saved = try db.row("SELECT saved FROM progress WHERE only = 1") { try $0.int(0) }
        guard let saved, saved >= 0 else { throw DamagedValue() }
        return saved
    }
}

/// The files next to a store before it is opened, because opening creates missing ones.
struct StoreRemains: Equatable {
    let mark: StoreMark.Reading
    /// Whether there is a log that is not empty.
    private let hasLog: Bool
    private let bytes: Int

    /// Throws ``StoreError/gone(_:besides:)`` if an empty file has replaced a store with sent
    /// pushes, because SQLite would discard the log.
    init(besides files: StoreFiles) throws(StoreError) {
        mark = try StoreMark(besideStoreAt: files.path).read()
        hasLog = try files.size(ofSide: "-wal") > 0
        bytes = try files.size()
        guard bytes > 0 || !hasLog && !mark.isSaved else {
            throw .gone(.store(path: files.path), besides: files.path)
        }
    }

    /// Returns what is wrong, given the facts in the store itself.
    func problem(_ look: StoreFacts, at path: String) -> StoreError? {
        let place = StoreComponent.store(path: path)
        // Without a log, all pages are in the file.
        if !hasLog, let whole = look.bytes, whole != bytes { return .corrupt(place) }
        guard let saved = look.saved else { return nil }
        let isLogLost =
            switch mark {
            case .void: false
            case .saved(let marked): saved < marked
            // A store that was copied without its mark during a run should at least have its log.
            case .missing: saved > 0 && look.isAnyRunning && !hasLog
            }
        return isLogLost ? .logLost(place, mark: StoreMark(besideStoreAt: path).path) : nil
    }
}
