import Files
import GRDB
import GRDBSQLite
import Glibc
import Storage

extension StoreError {
    /// Translates what GRDB threw; other errors stay what they are.
    ///
    /// - Parameter db: tells whether the store is whole, if SQLite refused what it refuses no whole
    ///   one.
    static func translating(
        _ error: any Error, at place: StoreComponent, _ db: Database? = nil
    ) -> any Error {
        // A column holds a value of a kind that is never written there.
        if error is RowDecodingError || error is DamagedValue { return StoreError.corrupt(place) }
        guard let error = error as? DatabaseError else { return error }
        guard let db else { return StoreError(error, at: place) }
        let number = unsafe sqlite3_system_errno(db.sqliteConnection)
        let known = StoreError(error, errorNumber: number, at: place)
        if case .unexpected = known, StoreCheck.isDamaged(db) { return StoreError.corrupt(place) }
        return db.configuration.readonly ? known : known.whereWritable
    }

    /// The error of a connection that is to write.
    ///
    /// SQLite reads only if the system does not open a file for writing, and then calls the store
    /// read-only. If all its files are writable, the cause is something else.
    private var whereWritable: StoreError {
        guard case .readOnly(let place) = self, place.mayBeWritten else { return self }
        return .unwritable(place)
    }

    /// `errorNumber` is of the system's last refusal, if it is known.
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
        // SQLite does not say that a file beside the store could not be made for want of room.
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
    /// None of them is opened for that: a process that closes one loses SQLite's locks on it.
    fileprivate var mayBeWritten: Bool {
        guard case .store(let path) = self else { return false }
        return ["", "-wal", "-shm"].allSatisfy { Folder.mayWrite(path + $0) }
    }

    fileprivate var fullFile: SystemLimit? {
        if case .store(let path) = self { RecordingRoom.limit(ofStoreAt: path) } else { nil }
    }

    /// Where its files are; nil for a server.
    fileprivate var folder: String? {
        if case .scratch(let folder) = self { folder } else { path.map(Path.folder(of:)) }
    }
}
