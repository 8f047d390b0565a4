extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notFound(let place):
            "There is no \(place) yet. Call this in the campaign's folder, or name its config with --config or its store with --store; `hubsend run` makes one."
        case .newerVersion(let place):
            "The \(place) was made by a newer version of hubsend and was left untouched. Use that version, or name another store with --store."
        case .olderVersion(let place):
            "The \(place) was made by an older version of hubsend. The next `hubsend run` brings it up to date."
        case .notAStore(let place):
            "The \(place) is not a store of hubsend; it was left untouched. Name another path with --store."
        case .networkFileSystem(let place, let kind):
            "The \(place) is on a network file system (\(kind)), where its locks cannot be trusted. Put it on a local disk."
        case .ownedByAnother(let place):
            "The \(place) belongs to another user. Run hubsend as that user, or name another store with --store."
        case .writableByOthers(let place):
            "The \(place) can be written by other users, so its content cannot be trusted. If it is good, take that right away with `chmod 600`."
        case .inaccessible(let place, let reason):
            "The \(place) cannot be opened: \(reason). Check the path and the rights on its folders."
        case .settingRefused(let place, let setting):
            "The \(place) cannot be used: SQLite did not accept \(setting). Use the SQLite library that the system provides."
        case .usedByAnotherName(let place):
            "The \(place) is in use by another name of the same file (a hard link, or its name before it was renamed), and SQLite would damage it. Wait until that has ended, and use one name only."
        case .hasFurtherNames(let place):
            "The \(place) has other names too (hard links), and what was written last may stand beside one of them. Remove the names that are not used; `find -samefile` lists them."
        case .readableByOthers(let place):
            "The \(place) can be reached by other users, so its key may not be secret any more. If nobody has read it, take that right away with `chmod 600`."
        case .notAKey(let place):
            "The \(place) holds no key, which is 32 bytes in base64 or 64 hexadecimal digits. Put it back from a backup."
        case .noPayloadKey(let place, let file):
            "The \(place) holds encrypted payloads, but its key file \(file) is missing. Put that back from a backup, or give the key with HUBSEND_PAYLOAD_KEY (or _FILE or _COMMAND); without the key, move the store away to begin with an empty one."
        case .wrongPayloadKey(let place, let file):
            "The payloads in the \(place) were encrypted with another key. Give that one with HUBSEND_PAYLOAD_KEY (or _FILE or _COMMAND); or give none, and have it in the file \(file)."
        case .registrationTaken:
            "The hub handed a registration id out that is another user's already. Ask for another one."
        case .corrupt(let place):
            "The \(place) is damaged, and nothing more is done with it. Put a backup in its place, or move it away with all that stands beside it (-wal, -shm, .mark) to begin with an empty one, which knows of nobody who was sent to."
        case .logLost(let place, let mark):
            "The \(place) lacks what was saved in it last: the log beside it (-wal) is missing or damaged, or an older copy was put in its place. Put the log or a newer copy back. If everybody who was sent to since then may be sent to again, say so with `: > \(mark)`."
        case .gone(let place, let path):
            "The \(place) is missing or empty, though what stands beside it says that people were sent to. Put it back; or, to begin with an empty one, which knows of nobody who was sent to, remove \(path)-wal and \(path).mark too."
        case .readOnly(let place):
            "The \(place) cannot be written: it is read-only. Make it writable, or name another store with --store."
        case .replaced(let place):
            "The \(place) was replaced, moved or deleted while it was in use, so nothing more was written. Put the right one in its place before hubsend is started again: one that does not know what was sent would have it sent once more."
        case .diskFull(let place):
            "The \(place) cannot grow: the disk is full. Make room and run the same command again; what was saved is kept."
        case .locked(let place):
            "The \(place) is in use by another process that did not let go in time. Run the same command again."
        case .inputOutput(let place, let code):
            "The \(place) cannot be read or written: input/output error \(code). Check the disk, then run the same command again."
        case .unexpected(let place, let code, let message):
            "The \(place) refused a statement (\(code): \(message)). This is a bug in hubsend; please report it."
        case .runExists(let campaign, let occurrence):
            "A run of campaign \(campaign) for occurrence \(occurrence) was begun meanwhile. Run the same command again to continue it."
        case .noSuchRun(let run):
            "The store has no run \(run). `hubsend runs` lists those it has."
        case .notStaging(let run):
            "The audience of run \(run) is fixed and cannot be changed. This is a bug in hubsend; please report it."
        case .unordered(let run):
            "The recipients of run \(run) came out of order. This is a bug in hubsend; please report it."
        case .foreignPlatform(let run, let platform):
            "Run \(run) does not send to \(platform). This is a bug in hubsend; please report it."
        }
    }
}
