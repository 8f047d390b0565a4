import Files
import GRDB
import GRDBSQLite
import Glibc
import Storage

extension StoreError {
    /// Translates errors of GRDB; other errors are returned unchanged.
    ///
    /// - Parameter db: for checking whether the store is intact after an error that does not occur
    ///   with an intact store.
    static func translating(
        _ error: any Error, at place: StoreComponent, _ db: Database? = nil
    ) -> any Error {
        // A column contains a value of a kind that is never written there.
        if error is RowDecodingError || error is DamagedValue { return StoreError.corrupt(place) }
        guard let error = error as? DatabaseError else { return error }
        guard let db else { return StoreError(error, at: place) }
        let number = unsafe sqlite3_system_errno(db.sqliteConnection)
        let known = StoreError(error, errorNumber: number, at: place)
        if case .unexpected = known, StoreCheck.isDamaged(db) { return StoreError.corrupt(place) }
        return db.configuration.readonly ? known : known.whereWritable
    }

    /// The error of a connection that should be able to write.
    ///
    /// If the system does not open a file for writing, SQLite only reads it and reports that the
    /// store is read-only. If all of the store's files are writable, there is another cause.
    private var whereWritable: StoreError {
        guard case .readOnly(let place) = self, place.mayBeWritten else { return self }
        return .unwritable(place)
    }

    /// `errorNumber` is the error number of the system's last refusal, if known.
    init(_ error: DatabaseError, errorNumber: Int32 = 0, at place: StoreComponent) {
        let code = Int(error.extendedResultCode.rawValue)
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            self = .locked(place)
        case .SQLITE_FULL:
            self = .diskFull(place)
        case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_DBMOVED:
            self = .replaced(place)
        case .SQLITE_READONLY:
            self = .readOnly(place)
        case .SQLITE_CORRUPT:
            self = .corrupt(place)
        case .SQLITE_NOTADB:
            self = .notAStore(place)
        case .SQLITE_PERM, .SQLITE_AUTH:
            self = .inaccessible(place, reason: "\(SystemError(number: EACCES))")
        // SQLite does not report that a file next to the store could not be created for lack of
        // space.
        case .SQLITE_CANTOPEN where place.folder.map(Folder.isFull(at:)) == true:
            self = .diskFull(place)
        case .SQLITE_CANTOPEN:
            self =
                SystemLimit.ofOpening.map { .limit(place, $0) }
                ?? .inaccessible(place, reason: "SQLite cannot open it or a file next to it")
        case .SQLITE_IOERR where error.extendedResultCode != .SQLITE_IOERR_NOMEM:
            self =
                (SystemLimit(errorNumber: errorNumber) ?? place.fullFile).map { .limit(place, $0) }
                ?? .inputOutput(place, code: code)
        case .SQLITE_IOERR, .SQLITE_NOMEM:
            self = .limit(place, .memory)
        default:
            self = .unexpected(place, code: code, message: error.message ?? "no message")
        }
    }

    /// The error for a store that could not be opened or closed.
    static func opening(_ error: any Error, at place: StoreComponent) -> StoreError {
        if let error = error as? DatabaseError {
            return StoreError(error, at: place).whereWritable
        }
        return translating(error, at: place) as? StoreError
            ?? .inaccessible(place, reason: "\(error)")
    }
}

extension StoreComponent {
    /// Whether the store's file and its side files may be written.
    ///
    /// No file is opened for this, because a process that closes a file loses SQLite's locks on it.
    fileprivate var mayBeWritten: Bool {
        guard case .store(let path) = self else { return false }
        return ["", "-wal", "-shm"].allSatisfy { Folder.mayWrite(path + $0) }
    }

    fileprivate var fullFile: SystemLimit? {
        if case .store(let path) = self { RecordingRoom.limit(ofStoreAt: path) } else { nil }
    }

    /// The path of the store's files; nil for a server.
    fileprivate var folder: String? {
        if case .scratch(let folder) = self { folder } else { path.map(Path.folder(of:)) }
    }
}
