import Files
import GRDB
import Storage

/// A small file beside the store that says how often the store has saved (``StoreProgress``).
///
/// The last changes are only in the log. If the log is lost, SQLite opens an earlier state, and
/// people would be sent to again; the mark reveals that. It is written after each commit, without a
/// sync: after a power cut it may be behind the store, never ahead.
struct StoreMark {
    enum Reading: Equatable {
        /// Nothing was sent yet, or the store was copied without its mark.
        case missing
        /// Empty: somebody wants to continue with the store as it is, or a power cut took its
        /// content.
        case void
        case saved(Int)
    }

    private static let beginning = "hubsend store "
    /// All marks have this length, so that a new one replaces the whole old one.
    private static let digits = 20

    let path: String

    init(besideStoreAt path: String) {
        self.path = path + ".mark"
    }

    private var place: StorePlace { .mark(path: path) }

    func read() throws(StoreError) -> Reading {
        let bytes = try place.access { () throws(SystemFault) -> [UInt8]? in
            do throws(SystemFault) {
                return try OpenFile(path, for: .reading, followingLinks: false).beginning(64)
            } catch {
                guard error.kind == .missing else { throw error }
                return nil
            }
        }
        guard let bytes else { return .missing }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix(Self.beginning), text.hasSuffix("\n"),
            let saved = Int(text.dropFirst(Self.beginning.count).dropLast())
        else { return .void }
        return .saved(saved)
    }

    /// Writes what the store has durably saved.
    func note(_ saved: Int) {
        let number = String(saved)
        let zeros = String(repeating: "0", count: max(0, Self.digits - number.count))
        do throws(SystemFault) {
            try OpenFile(path, for: .locking, followingLinks: false)
                .write("\(Self.beginning)\(zeros)\(number)\n".utf8, at: 0)
        } catch {
            // A mark that stays behind only reveals less, and the next commit writes it again.
            return
        }
    }
}

/// How often the store has saved changes of runs: a number that only grows.
enum StoreProgress {
    static let table = """
        CREATE TABLE IF NOT EXISTS progress (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            saved INTEGER NOT NULL
        ) STRICT;
        INSERT OR IGNORE INTO progress (only, saved) VALUES (1, 0);
        """

    /// Counts one more, in the transaction that saves.
    static func advance(_ db: Database) throws -> Int {
        try NativeStatement("UPDATE progress SET saved = saved + 1", db).run()
        return try saved(db)
    }

    static func saved(_ db: Database) throws -> Int {
        var saved = -1
        try NativeStatement("SELECT saved FROM progress WHERE only = 1", db)
            .forEachRow { saved = $0.integer(0) }
        guard saved >= 0 else { throw DatabaseError.damaged }
        return saved
    }
}

/// The files beside a store before it is opened, since opening makes missing ones.
struct StoreRemains: Equatable {
    let mark: StoreMark.Reading
    /// Whether there is a log that is not empty.
    private let hasLog: Bool
    private let bytes: Int

    /// Throws ``StoreError/gone(_:besides:)`` for an empty store with a log, which SQLite would
    /// throw away.
    init(besideStoreAt path: String, owner: UInt32) throws(StoreError) {
        mark = try StoreMark(besideStoreAt: path).read()
        let files = StoreFiles(path: path, owner: owner)
        hasLog = try files.size(ofSide: "-wal") > 0
        bytes = try files.size()
        if hasLog, bytes == 0 { throw .gone(.store(path: path), besides: path) }
    }

    /// What is wrong, given what the store says of itself.
    func fault(_ look: StoreLook, at path: String) -> StoreError? {
        let place = StorePlace.store(path: path)
        // Without a log, the file has all pages.
        if !hasLog, let whole = look.bytes, whole != bytes { return .corrupt(place) }
        guard isLogLost(look) else { return nil }
        return .logLost(place, mark: StoreMark(besideStoreAt: path).path)
    }

    /// Whether the store was saved further than it is now.
    ///
    /// A store that was copied during a run without its mark at least has its log.
    private func isLogLost(_ look: StoreLook) -> Bool {
        switch mark {
        case .void: false
        case .saved(let saved): look.saved.map { $0 < saved } ?? false
        case .missing: look.saved.map { $0 > 0 && look.isAnyRunning && !hasLog } ?? false
        }
    }
}

extension StoreMark.Reading {
    var isSaved: Bool {
        if case .saved(let saved) = self { saved > 0 } else { false }
    }
}
