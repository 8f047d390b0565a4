package import CampaignCore
package import Files
package import FoundationEssentials

/// Why the store could not do what was requested; the description is a sentence with a remedy and
/// contains no stored value.
package enum StoreError: Error, Hashable, Sendable {
    // MARK: Opening

    case notFound(StoreComponent)
    case brokenLink(StoreComponent)
    case newerVersion(StoreComponent)
    /// The call only reads.
    case olderVersion(StoreComponent)
    case notAStore(StoreComponent)
    case networkFileSystem(StoreComponent, kind: String)
    /// The file, or a folder above it that this process cannot enter, belongs to another user.
    case ownedByAnother(StoreComponent, SystemUser)
    /// Other users may have changed the file or read the key in it.
    case unprotected(StoreComponent, ProtectedFileError)
    case rootInFolder(StoreComponent, of: SystemUser)
    /// The system refused access; `reason` is its message.
    case inaccessible(StoreComponent, reason: String)
    case usedByAnotherName(StoreComponent)
    case hasFurtherNames(StoreComponent)
    /// The connection does not sync each commit to disk.
    case settingRefused(StoreComponent, setting: String)
    /// No server answers there; `reason` says what was tried, without any secret.
    case unreachable(StoreComponent, reason: String)
    /// In this case and the next, `reason` is the server's message.
    case busy(StoreComponent, reason: String)
    /// The server refused the user, the database or the way of connecting.
    case refused(StoreComponent, reason: String)
    case withoutSessions(StoreComponent)

    // MARK: Encryption

    case notAKey(StoreComponent)
    /// In this case and the following ones, `file` is where the key would be read from.
    case noPayloadKey(StoreComponent, file: String)
    case wrongPayloadKey(StoreComponent, file: String)
    case noForgottenKey(StoreComponent, file: String)

    // MARK: Reading and writing

    /// The store's pages or values are not what hubsend wrote.
    case corrupt(StoreComponent)
    /// `mark` is the file that records how much was saved.
    case logLost(StoreComponent, mark: String)
    case gone(StoreComponent, besides: String)
    /// The file or its file system cannot be written, or the store was opened only for reading.
    case readOnly(StoreComponent)
    /// The file's mode allows writing, but the disk failed, or Landlock, AppArmor or the like
    /// forbids writing.
    case unwritable(StoreComponent)
    case replaced(StoreComponent)
    case diskFull(StoreComponent)
    case limit(StoreComponent, SystemLimit)
    /// Another process locked the store for longer than ``StoreOptions/busyTimeout``.
    case locked(StoreComponent)
    /// The write in progress may or may not have been committed.
    case connectionLost(StoreComponent)
    /// The server cancelled a statement; `reason` is its message.
    case interrupted(StoreComponent, reason: String)
    /// `code` is SQLite's extended result code or `errno`.
    case inputOutput(StoreComponent, code: Int)
    /// Any other error; `message` is SQLite's, which contains names of tables and columns but no
    /// values.
    case unexpected(StoreComponent, code: Int, message: String)

    // MARK: Backups and transfers

    case backupExists(StoreComponent)
    case backupIsStore(StoreComponent)
    case incomplete(StoreComponent)
    case notEmpty(StoreComponent)
    case filledFromAnother(StoreComponent)
    case miscounted(StoreComponent, table: String)

    // MARK: Runs and registrations

    case runExists(campaign: String, occurrence: Occurrence)
    case noSuchRun(RunID)
    case deliveriesDeleted(RunID, Date)
    case notStaging(RunID)
    case unordered(RunID)
    case foreignPlatform(RunID, Platform)
    /// The run has no such wave, or it has waves but none was specified.
    case foreignWave(RunID)
    case registrationTaken
}

/// The part of the storage that a ``StoreError`` is about.
package enum StoreComponent: Hashable, Sendable, CustomStringConvertible {
    case store(path: String)
    /// The server's address without any secret.
    case server(String)
    case scratch(folder: String)
    case payloadKey(path: String)
    case mark(path: String)
    case backup(path: String)

    /// Its path on this host; nil for a server.
    package var path: String? {
        switch self {
        case .server: nil
        case .store(let path), .payloadKey(let path), .mark(let path), .backup(let path): path
        case .scratch(let folder): folder
        }
    }

    /// The place as the subject of a sentence, without the article.
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
    /// What the caller can do about a ``StoreError``, which determines the exit code.
    package enum Disposition: Hashable, Sendable {
        /// The user has to fix something first (exit code 2).
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

    /// The description for the log of a waiting process, without the advice to run the command
    /// again.
    package var whileWaiting: String { sentence(ending: false) }

    private static let again = " Run the same command again; nothing that was saved is lost."

    /// - Parameter isEnd: whether the process ends, so that its command has to be run again.
    private func sentence(ending isEnd: Bool) -> String {
        switch self {
        case .notFound(.server(let address)):
            "There is no store \(address) yet. Check the address, its database and the role's search_path; the first `hubsend run` creates the store."
        case .notFound(let place):
            "There is no \(place) yet. Run the command in the campaign's folder, or use --config or --store to name the config or store that `hubsend run` used; the first run creates the store."
        case .brokenLink(let place):
            "The \(place) is a symbolic link to a file that does not exist. Restore that file (is its disk mounted?); if it is lost, see hubsend-security(7)."
        case .newerVersion(let place):
            "The \(place) was created by a newer version of hubsend and was left unchanged. Use that version here too."
        case .olderVersion(.server(let address)):
            "The store \(address) was created by an older version of hubsend. Update it with `hubsend store migrate`, on the server that accepts writes and as the role that owns its tables; `hubsend run` updates it too."
        case .olderVersion(let place):
            "The \(place) was created by an older version of hubsend. Update it with `hubsend store migrate`, as a user who can write to its folder; `hubsend run` updates it too."
        case .notAStore(.server(let address)):
            "The schema for the store \(address) contains something else, or only part of a store, and was left unchanged. If the store is elsewhere, correct its database or the role's search_path; if it was here, restore a backup. A new store needs a schema of its own."
        case .notAStore(.backup(let path)):
            "The file \(path) is not a hubsend store, so the backup does not replace it. Choose another file."
        case .notAStore(let place):
            "The \(place) is not a hubsend store and was left unchanged. Correct the path in --store, HUBSEND_STORE or the config's `store`; if the store was here, restore a backup."
        case .networkFileSystem(let place, let kind):
            "The \(place) is on a network file system (\(kind)), where locks are not reliable. Put it on a local disk."
        case .ownedByAnother(let place, let owner):
            "The \(place) belongs to the user \(owner.word), not to you (\(SystemUser.current.word)). Run hubsend as \(owner.word); if the store is yours, use chown to make yourself the owner of it and its folder."
        case .unprotected(.payloadKey(let path), let cause):
            "The key file \(path) \(cause.problem). If nobody else has read the file, the key is still secret. \(cause.remedy(ShellWord.quoted(path)))"
        case .unprotected(let place, let cause):
            "The \(place) \(cause.problem). Trust its content only if nobody else has changed it. \(cause.remedy(ShellWord.quoted(place.path ?? "")))"
        case .rootInFolder(let place, let owner):
            "There is no \(place) yet, and its folder belongs to the user \(owner.word). A store created by root would belong to root, so \(owner.word) could not use it. To create it as root anyway, name it with --store."
        case .inaccessible(let place, let reason):
            "The \(place) cannot be opened: \(reason). Check the path and the permissions of its folders."
        case .settingRefused(let place, let setting):
            "The \(place) cannot be used: SQLite did not accept \(setting). Use the SQLite library that comes with the system."
        case .unreachable(let place, let reason):
            "The \(place) cannot be reached: \(reason). Check that the server is running and that its address is correct\(isEnd ? ", then run the same command again" : "")."
        case .busy(let place, let reason):
            "The \(place) has no free connection: \(reason). \(isEnd ? "Run the same command again, or raise" : "Raise") the server's limits (max_connections, and CONNECTION LIMIT of the role and the database)."
        case .refused(let place, let reason):
            "The \(place) refused access: \(reason). Check the user, the password (PGPASSFILE or a service file), TLS (sslmode, sslrootcert, sslcert) and the role's privileges; see hubsend-postgresql(7)."
        case .withoutSessions(let place):
            "The \(place) is behind a connection pooler that does not keep a session for each client, so hubsend's locks would have no effect. Use session pooling (in PgBouncer, pool_mode=session for this database or user), or connect to the server directly; see hubsend-postgresql(7)."
        case .connectionLost(let place):
            "The connection to the \(place) was lost.\(isEnd ? Self.again : "")"
        case .interrupted(let place, let reason):
            "The server of the \(place) cancelled an operation: \(reason).\(isEnd ? Self.again : "") If this happens again, check the server's time and memory limits and its disk."
        case .usedByAnotherName(let place):
            "The \(place) is in use under another name of the same file (a hard link, or its name before it was renamed), and using both names would damage it. Wait until the other process has ended, and use only one name."
        case .hasFurtherNames(let place):
            "The \(place) has other names (hard links), and the latest changes may be in a log next to one of them. Remove the names you do not use; `find -samefile` lists them."
        case .notAKey(let place):
            "The \(place) does not contain a key. A key is 32 bytes in base64 or 64 hexadecimal digits. Restore the file from a backup."
        case .noPayloadKey(.server(let address), let file):
            "The store \(address) contains encrypted payloads, but this host does not have their key: its file \(file) is missing. Copy the file from a host that has it, or set the key with HUBSEND_PAYLOAD_KEY (or _FILE or _COMMAND)."
        case .noPayloadKey(let place, let file):
            "The \(place) contains encrypted payloads, but its key file \(file) is missing. Restore the file from a backup, or set the key with HUBSEND_PAYLOAD_KEY (or _FILE or _COMMAND). If the key is lost, see hubsend-security(7)."
        case .wrongPayloadKey(.server(let address), let file):
            "The payloads in the store \(address) were encrypted with a different key from this host's. Set the right key with HUBSEND_PAYLOAD_KEY (or _FILE or _COMMAND), or unset these variables and copy the file \(file) from a host that has the right key."
        case .wrongPayloadKey(let place, let file):
            "The payloads in the \(place) were encrypted with a different key. Set the right key with HUBSEND_PAYLOAD_KEY (or _FILE or _COMMAND), or unset these variables and put the right key into the file \(file)."
        case .noForgottenKey(.server(let address), let file):
            "The store \(address) recognises forgotten people by its payload key, but this host does not have that key or has a different one. Copy the file \(file) from another host, or set the key with HUBSEND_PAYLOAD_KEY (or _FILE); a preview does not run HUBSEND_PAYLOAD_KEY_COMMAND."
        case .noForgottenKey(let place, let file):
            "The \(place) recognises forgotten people by the key in \(file), but that key is missing or different. Restore the file from a backup."
        case .registrationTaken:
            "The hub issued a registration id that already belongs to another user. Request another one."
        case .corrupt(.server(let address)):
            "The store \(address) is damaged, and hubsend has stopped using it. Check the server's log for problems with its files, then restore a backup of the database. If there is no backup, see hubsend-security(7)."
        case .corrupt(let place):
            "The \(place) is damaged, and hubsend has stopped using it. Restore a backup; if there is no backup, see hubsend-security(7)."
        case .logLost(let place, let mark):
            "The \(place) has lost its latest changes: the log next to it (-wal) is missing or damaged, or an older copy has replaced the store. Restore the log or a newer copy. To continue without these changes, which may send pushes a second time, run `: > \(mark)`."
        case .gone(let place, let path):
            "The \(place) is missing or empty, but \(path)-wal or \(path).mark shows that pushes were already sent. Restore it; if it is lost, see hubsend-security(7)."
        case .backupExists(let place):
            "The \(place) already exists and was left unchanged. Choose another file, or replace this one with --force."
        case .backupIsStore(let place):
            "The \(place) would overwrite a store in use or one of its files, so it was not made. Choose another file."
        case .readOnly(.server(let address)):
            "The store \(address) does not accept writes: its server is a replica, or default_transaction_read_only is on, which some providers turn on when the storage is full. Name the server that accepts writes, or list all servers with target_session_attrs=read-write, or turn the setting off."
        case .readOnly(let place):
            "The \(place) cannot be written: it is read-only. Make the file, its folder and its disk writable for the user who runs hubsend."
        case .unwritable(let place):
            "The \(place) cannot be written: the disk failed, or the system forbids writing there. Check the disk and any confinement of hubsend (such as AppArmor), then run the same command again."
        case .replaced(let place):
            "The \(place) was replaced, moved or deleted while it was in use, so hubsend stopped writing to it. Restore the right store before you start hubsend again: a store that does not know which pushes were sent would send them again."
        case .diskFull(let place):
            "The \(place) cannot grow: the disk is full. Free some space and run the same command again; nothing that was saved is lost."
        case .limit(let place, let limit):
            "The \(place) cannot be used: \(limit.reason). \(limit.remedy)\(isEnd ? ", then run the same command again; nothing that was saved is lost" : "")."
        case .locked(let place):
            "The \(place) was locked by another process for too long. Run the same command again."
        case .inputOutput(let place, let code):
            "The \(place) cannot be read or written: input/output error \(code). Check the disk, then run the same command again."
        case .unexpected(let place, let code, let message):
            "The \(place) rejected a statement (\(code): \(message)). This is a bug in hubsend; please report it."
        case .incomplete(let place):
            "The \(place) is only partly copied from a file. Run the same `hubsend store migrate --from` again until it finishes; nothing else can use the store before that."
        case .notEmpty(let place):
            "The \(place) is not empty, but a file can be copied only into an empty store. Name an empty database or schema."
        case .filledFromAnother(let place):
            "The \(place) was copied from another file, the file has changed since, or an earlier version of hubsend began the copy. To copy this file, start with an empty database or schema, and do not use the file during the copy."
        case .miscounted(let place, let table):
            "The \(place) has a different number of rows in \(table) from the file: something else wrote to the store. Empty its schema and run the same command again; the file was not changed."
        case .runExists(let campaign, let occurrence):
            "Another process has started a run of campaign \(campaign) for occurrence \(occurrence). Run the same command again to continue it."
        case .noSuchRun(let run):
            "The store has no run \(run). `hubsend runs` lists the runs it has."
        case .deliveriesDeleted(let run, let time):
            "The deliveries of run \(run) were deleted on \(UTCTime.readable(time)), as the config's `retention` says, so its recipients are no longer known. Its totals are kept: `hubsend runs show \(run)`."
        case .notStaging(let run):
            "The audience of run \(run) is fixed and cannot be changed. This is a bug in hubsend; please report it."
        case .unordered(let run):
            "The recipients of run \(run) are out of order. This is a bug in hubsend; please report it."
        case .foreignPlatform(let run, let platform):
            "Run \(run) does not send to \(platform). This is a bug in hubsend; please report it."
        case .foreignWave(let run):
            "Run \(run) does not have the requested wave. This is a bug in hubsend; please report it."
        }
    }
}

/// A stored value is not a value that hubsend writes; callers get ``StoreError/corrupt(_:)``
/// instead.
package struct DamagedValue: Error {
    package init() {}
}

extension StoreError {
    package init(_ cause: SystemError, at place: StoreComponent) {
        if let limit = SystemLimit(errorNumber: cause.number) {
            self = .limit(place, limit)
            return
        }
        self =
            switch cause.kind {
            case .readOnly: .readOnly(place)
            case .diskFull: .diskFull(place)
            case .inputOutput: .inputOutput(place, code: Int(cause.number))
            case .denied:
                place.path.flatMap(SystemUser.denying).map { .ownedByAnother(place, $0) }
                    ?? .inaccessible(place, reason: cause.description)
            default: .inaccessible(place, reason: cause.description)
            }
    }
}

extension StoreComponent {
    /// Makes system calls; if they fail, throws a ``StoreError`` that names this place.
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
