package import CampaignCore
package import Files
package import FoundationEssentials

/// Why the store could not do what was asked; the text is a sentence with a remedy and shows no stored value.
package enum StoreError: Error, Hashable, Sendable {
    // MARK: Opening

    case notFound(StorePlace)
    case brokenLink(StorePlace)
    case newerVersion(StorePlace)
    /// The call only reads.
    case olderVersion(StorePlace)
    case notAStore(StorePlace)
    case networkFileSystem(StorePlace, kind: String)
    /// The file, or a folder above it that this process may not enter, belongs to another user.
    case ownedByAnother(StorePlace, SystemUser)
    /// Others may have changed it, or read the key in it.
    case unprotected(StorePlace, ProtectedFileError)
    case rootInFolder(StorePlace, of: SystemUser)
    /// The system refused; `reason` is its text.
    case inaccessible(StorePlace, reason: String)
    case usedByAnotherName(StorePlace)
    case hasFurtherNames(StorePlace)
    /// The connection does not sync every commit.
    case settingRefused(StorePlace, setting: String)
    /// No server answers there; `reason` says what was tried, without any secret.
    case unreachable(StorePlace, reason: String)
    /// In this and the next one, `reason` are the server's words.
    case busy(StorePlace, reason: String)
    /// The server refused the user, the database or the way of connecting.
    case refused(StorePlace, reason: String)
    case withoutSessions(StorePlace)

    // MARK: Encryption

    case notAKey(StorePlace)
    /// `file` is where the key would be read from, also in the next ones.
    case noPayloadKey(StorePlace, file: String)
    case wrongPayloadKey(StorePlace, file: String)
    case noForgottenKey(StorePlace, file: String)

    // MARK: Reading and writing

    /// Its pages or values are not what hubsend wrote.
    case corrupt(StorePlace)
    /// `mark` is the file that says how far it was saved.
    case logLost(StorePlace, mark: String)
    case gone(StorePlace, besides: String)
    /// The file or its file system cannot be written, or it was opened for reading.
    case readOnly(StorePlace)
    /// Its rights allow writing: the disk failed, or something like Landlock or AppArmor forbids it.
    case unwritable(StorePlace)
    case replaced(StorePlace)
    case diskFull(StorePlace)
    case limit(StorePlace, SystemLimit)
    /// Another process held it longer than ``StoreOptions/busyTimeout``.
    case locked(StorePlace)
    /// What was being written may have been committed or not.
    case connectionLost(StorePlace)
    /// The server is not known to be at fault; `reason` are its words.
    case interrupted(StorePlace, reason: String)
    /// `code` is SQLite's extended result code or `errno`.
    case inputOutput(StorePlace, code: Int)
    /// Anything else; `message` is SQLite's, which names tables and columns but no value.
    case unexpected(StorePlace, code: Int, message: String)

    // MARK: Backups and transfers

    case backupExists(StorePlace)
    case backupIsStore(StorePlace)
    case incomplete(StorePlace)
    case notEmpty(StorePlace)
    case filledFromAnother(StorePlace)
    case miscounted(StorePlace, table: String)

    // MARK: Runs and registrations

    case runExists(campaign: String, occurrence: Occurrence)
    case noSuchRun(RunID)
    case deliveriesDeleted(RunID, Date)
    case notStaging(RunID)
    case unordered(RunID)
    case foreignPlatform(RunID, Platform)
    /// The run has no such wave, or has waves and none was named.
    case foreignWave(RunID)
    case registrationTaken
}

/// Which part of the storage a ``StoreError`` is about.
package enum StorePlace: Hashable, Sendable, CustomStringConvertible {
    case store(path: String)
    /// Its address without any secret.
    case server(String)
    case scratch(folder: String)
    case payloadKey(path: String)
    case mark(path: String)
    case backup(path: String)

    /// Where it is on this host; nil: it is on a server.
    package var path: String? {
        switch self {
        case .server: nil
        case .store(let path), .payloadKey(let path), .mark(let path), .backup(let path): path
        case .scratch(let folder): folder
        }
    }

    /// As the subject of a sentence, after its first word.
    package var description: String {
        switch self {
        case .store(let path): "store \(path)"
        case .server(let address): "store \(address)"
        case .scratch(let folder): "scratch area in \(folder)"
        case .payloadKey(let path): "key file \(path)"
        case .mark(let path): "mark file \(path)"
        case .backup(let path): "backup \(path)"
        }
    }
}

extension StoreError {
    /// What the caller can do about a ``StoreError``; the exit code follows from it.
    package enum Disposition: Hashable, Sendable {
        /// Something has to be set right first (exit code 2).
        case configuration
        /// A rerun is safe and may succeed (exit code 75).
        case tryAgain
        /// There is a bug in hubsend (exit code 70).
        case bug
    }

    package var disposition: Disposition {
        switch self {
        case .notFound, .brokenLink, .newerVersion, .olderVersion, .notAStore, .networkFileSystem,
            .ownedByAnother, .unprotected, .rootInFolder, .inaccessible, .settingRefused, .corrupt,
            .logLost, .gone, .readOnly, .noSuchRun, .replaced, .hasFurtherNames, .notAKey,
            .noPayloadKey, .wrongPayloadKey, .noForgottenKey, .backupExists, .backupIsStore,
            .deliveriesDeleted, .refused, .withoutSessions, .incomplete, .notEmpty,
            .filledFromAnother, .miscounted:
            .configuration
        case .diskFull, .limit, .locked, .inputOutput, .unwritable, .runExists, .registrationTaken,
            .usedByAnotherName, .unreachable, .busy, .connectionLost, .interrupted:
            .tryAgain
        case .unexpected, .notStaging, .unordered, .foreignPlatform, .foreignWave:
            .bug
        }
    }
}

extension StoreError: CustomStringConvertible {
    package var description: String { sentence(ending: true) }

    /// For the log of a process that waits: nobody has to give a command again.
    package var whileWaiting: String { sentence(ending: false) }

    private static let again = " Run the same command again; what was saved is kept."

    /// - Parameter isEnd: the process ends, and what it did has to be repeated.
    private func sentence(ending isEnd: Bool) -> String {
        switch self {
        case .notFound(.server(let address)):
            "There is no store \(address) yet. Check the address, its database and the role's search_path; the first `hubsend run` makes the store."
        case .notFound(let place):
            "There is no \(place) yet. Give the command in the campaign's folder, or name the config or the store that `hubsend run` used with --config or --store; the first run makes the store."
        case .brokenLink(let place):
            "The \(place) is a link, and the file that it leads to is not there. Put that file back (is its disk mounted?); if it is lost, see hubsend-security(7)."
        case .newerVersion(let place):
            "The \(place) was made by a newer version of hubsend and was left untouched. Use that version here, too."
        case .olderVersion(.server(let address)):
            "The store \(address) was made by an older version of hubsend. Bring it up to date with `hubsend store migrate`, on the server that takes writes and as the role that owns its tables; `hubsend run` does so too."
        case .olderVersion(let place):
            "The \(place) was made by an older version of hubsend. Bring it up to date with `hubsend store migrate`, where its folder can be written; `hubsend run` does so too."
        case .notAStore(.server(let address)):
            "The schema that the store \(address) would be in holds something else, or only a part of a store; it was left untouched. If the store is elsewhere, correct its database or the role's search_path; if it was here, put a backup back. A new store takes a schema of its own."
        case .notAStore(.backup(let path)):
            "The file \(path) is not a store of hubsend, so the backup does not replace it. Name another file."
        case .notAStore(let place):
            "The \(place) is not a store of hubsend; it was left untouched. Correct the path in --store, HUBSEND_STORE or the config's `store`; if the store was here, put a backup back."
        case .networkFileSystem(let place, let kind):
            "The \(place) is on a network file system (\(kind)), where its locks cannot be trusted. Put it on a local disk."
        case .ownedByAnother(let place, let owner):
            "The \(place) belongs to the user \(owner.word), not to you (\(SystemUser.current.word)). Run hubsend as \(owner.word); or, if the store is yours, take it and its folder over with chown."
        case .unprotected(.payloadKey(let path), let fault):
            "The key file \(path) \(fault.problem). If none of them did, the key is still a secret. \(fault.remedy(ShellWord.quoted(path)))"
        case .unprotected(let place, let fault):
            "The \(place) \(fault.problem). Trust its content only if none of them did. \(fault.remedy(ShellWord.quoted(place.path ?? "")))"
        case .rootInFolder(let place, let owner):
            "There is no \(place) yet, and its folder belongs to the user \(owner.word). A store made by root would be root's alone, so \(owner.word) could not use it. To keep one as root all the same, name it with --store."
        case .inaccessible(let place, let reason):
            "The \(place) cannot be opened: \(reason). Check the path and the rights on its folders."
        case .settingRefused(let place, let setting):
            "The \(place) cannot be used: SQLite did not accept \(setting). Use the SQLite library that the system provides."
        case .unreachable(let place, let reason):
            "The \(place) cannot be reached: \(reason). Check that the server runs and that its address is right\(isEnd ? ", then run the same command again" : "")."
        case .busy(let place, let reason):
            "The \(place) has no connection to spare: \(reason). \(isEnd ? "Run the same command again; or let" : "Let") the server have more (max_connections, and CONNECTION LIMIT of role and database)."
        case .refused(let place, let reason):
            "The \(place) refused hubsend: \(reason). Check the user, the password (PGPASSFILE, or a service file), TLS (sslmode, sslrootcert, sslcert) and the role's rights; see hubsend-postgresql(7)."
        case .withoutSessions(let place):
            "The \(place) is behind a pooler that gives each transaction another session, so hubsend's locks would protect nothing. Let the pooler keep a session for each client (in PgBouncer, pool_mode=session for this database or user), or name the server itself; see hubsend-postgresql(7)."
        case .connectionLost(let place):
            "The connection to the \(place) broke.\(isEnd ? Self.again : "")"
        case .interrupted(let place, let reason):
            "The server of the \(place) broke off what it was asked for: \(reason).\(isEnd ? Self.again : "") If this happens again, look at the server's limits of time and memory, and at its disk."
        case .usedByAnotherName(let place):
            "The \(place) is in use under another name of the same file (a hard link, or its name before it was renamed), and using both would damage it. Wait until the other use has ended, and use one name only."
        case .hasFurtherNames(let place):
            "The \(place) has other names too (hard links), and what was written last may be beside one of them. Remove the names that are not used; `find -samefile` lists them."
        case .notAKey(let place):
            "The \(place) holds no key, which is 32 bytes in base64 or 64 hexadecimal digits. Put it back from a backup."
        case .noPayloadKey(.server(let address), let file):
            "The store \(address) holds encrypted payloads, and this host does not have their key: its file \(file) is missing. Copy it from a host that has it, or give the key with HUBSEND_PAYLOAD_KEY (or _FILE or _COMMAND)."
        case .noPayloadKey(let place, let file):
            "The \(place) holds encrypted payloads, but its key file \(file) is missing. Put that back from a backup, or give the key with HUBSEND_PAYLOAD_KEY (or _FILE or _COMMAND). If the key is lost, see hubsend-security(7)."
        case .wrongPayloadKey(.server(let address), let file):
            "The payloads in the store \(address) were encrypted with another key than this host's. Give that one with HUBSEND_PAYLOAD_KEY (or _FILE or _COMMAND); or give none, and put the file \(file) of a host that has it in the place of this one's."
        case .wrongPayloadKey(let place, let file):
            "The payloads in the \(place) were encrypted with another key. Give that one with HUBSEND_PAYLOAD_KEY (or _FILE or _COMMAND); or give none, and put it into the file \(file)."
        case .noForgottenKey(.server(let address), let file):
            "People were forgotten in the store \(address), and this host has not the key of its payloads, by which they are recognised, or has another one. Give it the one that the other hosts have, in the file \(file) or with HUBSEND_PAYLOAD_KEY (or _FILE); a preview runs no command for it."
        case .noForgottenKey(let place, let file):
            "People were forgotten in the \(place), and the key in \(file), by which they are recognised, is missing or another one. Put it back from a backup."
        case .registrationTaken:
            "The hub gave out a registration id that already belongs to another user. Ask for another one."
        case .corrupt(.server(let address)):
            "The store \(address) is damaged and is not used any further. Have the server's log say what is wrong with its files; then put a backup of the database in its place. If there is none, see hubsend-security(7)."
        case .corrupt(let place):
            "The \(place) is damaged and is not used any further. Put a backup in its place; if there is none, see hubsend-security(7)."
        case .logLost(let place, let mark):
            "The \(place) lacks what was saved in it last: the log beside it (-wal) is missing or damaged, or an older copy was put in its place. Put the log or a newer copy back. If everybody who was sent to since then may be sent to again, say so with `: > \(mark)`."
        case .gone(let place, let path):
            "The \(place) is missing or empty, but \(path)-wal or \(path).mark says that people were sent to. Put it back; if it is lost, see hubsend-security(7)."
        case .backupExists(let place):
            "The \(place) is there already and was left as it is. Name another file, or have this one replaced with --force."
        case .backupIsStore(let place):
            "The \(place) would take the place of a store in use, or of a file that belongs to one, and was not made. Name another file."
        case .readOnly(.server(let address)):
            "The store \(address) takes no writes: its server is a replica, or somebody has set default_transaction_read_only, as providers do when their storage is full. Name the server that takes writes, or all of them with target_session_attrs=read-write; or have the setting taken back."
        case .readOnly(let place):
            "The \(place) cannot be written: it is read-only. Make the file, its folder and its disk writable for the user who runs hubsend."
        case .unwritable(let place):
            "The \(place) cannot be written: the disk failed, or the system forbids writing there. Check the disk, and what hubsend is confined to, then run the same command again."
        case .replaced(let place):
            "The \(place) was replaced, moved or deleted while it was in use, so nothing more was written. Put the right one in its place before hubsend is started again: one that does not know what was sent would have it sent once more."
        case .diskFull(let place):
            "The \(place) cannot grow: the disk is full. Make room and run the same command again; what was saved is kept."
        case .limit(let place, let limit):
            "The \(place) cannot be used: \(limit.reason). \(limit.remedy)\(isEnd ? ", then run the same command again; what was saved is kept" : "")."
        case .locked(let place):
            "The \(place) is in use by another process that did not let go in time. Run the same command again."
        case .inputOutput(let place, let code):
            "The \(place) cannot be read or written: input/output error \(code). Check the disk, then run the same command again."
        case .unexpected(let place, let code, let message):
            "The \(place) refused a statement (\(code): \(message)). This is a bug in hubsend; please report it."
        case .incomplete(let place):
            "The \(place) is being filled from a file, and not all of it is there. Call the same `hubsend store migrate --from` again to its end; before that, nothing else can be done with it."
        case .notEmpty(let place):
            "The \(place) holds something already, and a file is only copied into an empty one. Name an empty database or schema."
        case .filledFromAnother(let place):
            "The \(place) was filled from another file, that file was changed since, or an earlier version of hubsend began to copy it. To copy this one, begin with an empty database or schema, and let nothing use the file meanwhile."
        case .miscounted(let place, let table):
            "The \(place) has another number of rows of \(table) than the file: something else wrote to it. Empty its schema and call the same command again; the file is as it was."
        case .runExists(let campaign, let occurrence):
            "A run of campaign \(campaign) for occurrence \(occurrence) was begun meanwhile. Run the same command again to continue it."
        case .noSuchRun(let run):
            "The store has no run \(run). `hubsend runs` lists those it has."
        case .deliveriesDeleted(let run, let time):
            "The deliveries of run \(run) were deleted on \(UTCTime.readable(time)), as the config's `retention` says, so nobody knows any more whom it went to. Its sums are there: `hubsend runs show \(run)`."
        case .notStaging(let run):
            "The audience of run \(run) is fixed and cannot be changed. This is a bug in hubsend; please report it."
        case .unordered(let run):
            "The recipients of run \(run) came out of order. This is a bug in hubsend; please report it."
        case .foreignPlatform(let run, let platform):
            "Run \(run) does not send to \(platform). This is a bug in hubsend; please report it."
        case .foreignWave(let run):
            "Run \(run) does not have the wave that was asked for. This is a bug in hubsend; please report it."
        }
    }
}

/// A stored value is not one that hubsend writes; callers see the error as ``StoreError/corrupt(_:)``.
package struct DamagedValue: Error {
    package init() {}
}

extension StoreError {
    package init(_ fault: SystemError, at place: StorePlace) {
        if let limit = SystemLimit(errorNumber: fault.number) {
            self = .limit(place, limit)
            return
        }
        self =
            switch fault.kind {
            case .readOnly: .readOnly(place)
            case .diskFull: .diskFull(place)
            case .inputOutput: .inputOutput(place, code: Int(fault.number))
            case .denied:
                place.path.flatMap(SystemUser.denying).map { .ownedByAnother(place, $0) }
                    ?? .inaccessible(place, reason: fault.description)
            default: .inaccessible(place, reason: fault.description)
            }
    }
}

extension StorePlace {
    /// Makes calls to the system; a fault is thrown as a ``StoreError`` that names this place.
    package func access<Value>(
        _ calls: () throws(SystemError) -> Value
    ) throws(StoreError) -> Value {
        do {
            return try calls()
        } catch {
            throw StoreError(error, at: self)
        }
    }
}
