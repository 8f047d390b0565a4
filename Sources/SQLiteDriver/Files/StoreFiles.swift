import Files
@unsafe @preconcurrency import GRDBSQLite
import Glibc
import Storage
import Synchronization

/// The store's file and the files that SQLite keeps next to it, which only their owner may access.
struct StoreFiles {
    /// SQLite gives the files next to a database the mode of the database.
    private static let sideSuffixes = ["-wal", "-shm"]
    /// The first bytes of SQLite's files (SQLite's database file format, section 1.3).
    private static let magic = Array("SQLite format 3\0".utf8)

    let path: String
    /// The required owner of the files.
    let owner: UInt32
    /// Whether root may create a store in another user's folder.
    var isNamed = false

    var place: StoreComponent { .store(path: path) }

    /// The size in bytes of the store's file or of a file next to it; 0 if it does not exist.
    func size(ofSide suffix: String = "") throws(StoreError) -> Int {
        try status(suffix)?.size ?? 0
    }

    /// Creates the folder (0700) and the file (0600) if they are missing, and corrects the
    /// permissions of an existing file.
    func create() throws(StoreError) -> StoreInode {
        let folder = Path.folder(of: path)
        let existing = try place.access { () throws(SystemError) in try Folder.nearest(folder) }
        try NetworkFileSystem.refuse(folder: existing, at: place)
        try refuseForeign(existing)
        let isThere = try place.access { () throws(SystemError) in
            try Folder.make(folder)
            do throws(SystemError) {
                let file = try OpenFile(path, for: .creating)
                try file.setMode(0o600)
                try file.sync()
                try Folder.sync(folder)
                return false
            } catch {
                guard error.kind == .exists else { throw error }
                return true
            }
        }
        guard let inode = try StoreInode.find(path, isWritable: true) else {
            throw try isLink() ? .brokenLink(place) : .replaced(place)
        }
        if isThere { try secure(inode) }
        return inode
    }

    /// Checks the existing files for a call that only reads; throws ``StoreError/notFound(_:)`` if
    /// there is no store.
    func find() throws(StoreError) -> StoreInode {
        guard let inode = try StoreInode.find(path, isWritable: false) else {
            throw try isLink() ? .brokenLink(place) : .notFound(place)
        }
        try NetworkFileSystem.refuse(folder: Path.folder(of: path), at: place)
        try secure(inode)
        return inode
    }

    /// Gives the files mode 0600; refuses files that others could have written, and files that are
    /// not databases.
    ///
    /// At each mount, Kubernetes makes all files of a volume writable for the pod's group.
    private func secure(_ inode: StoreInode) throws(StoreError) {
        let head = try inode.beginning(Self.magic.count)
        guard head.isEmpty || head == Self.magic else { throw .notAStore(place) }
        for suffix in [""] + Self.sideSuffixes {
            guard let status = try status(suffix) else { continue }
            switch FileProtection.store.objection(
                to: FileReach(status, at: path + suffix, user: owner))
            {
            case nil: break
            case .ownedByAnother(let owner, _): throw .ownedByAnother(place, owner)
            case .writableByOthers(let remedy):
                throw .unprotected(place, .writableByOthers(remedy))
            default: throw .notAStore(place)
            }
            guard status.mode & 0o077 != 0 else { continue }
            try place.access { () throws(SystemError) in
                try Folder.setMode(0o600, ofFile: path + suffix)
            }
        }
    }

    /// Keeps root from creating a store that the owner of the folder could not use.
    private func refuseForeign(_ folder: String) throws(StoreError) {
        guard owner == 0, !isNamed, try status() == nil else { return }
        let user = try place.access { () throws(SystemError) -> SystemUser? in
            // In a container, a folder of the host can have any owner.
            if Container.isHere, try !Container.holds(folder) { return nil }
            return SystemUser(try FileStatus(of: folder).owner)
        }
        // A user id without a name belongs to somebody outside the container.
        if let user, user.number != 0, user.name != nil { throw .rootInFolder(place, of: user) }
    }

    private func isLink() throws(StoreError) -> Bool {
        try place.access { () throws(SystemError) in
            try FileStatus.find(path, followingLinks: false)?.kind == .link
        }
    }

    private func status(_ suffix: String = "") throws(StoreError) -> FileStatus? {
        try place.access { () throws(SystemError) in try FileStatus.find(path + suffix) }
    }
}

/// The location of SQLite's temporary files, which have no name, have mode 0600, and disappear when
/// their connection ends.
///
/// The files are next to the store, never in a shared folder. SQLite has a single setting for the
/// whole process (`sqlite3_temp_directory`) and reads it without a lock, so it is set before the
/// first connection opens and never changed. A process normally has one store; if it opens several,
/// all temporary files are next to the first.
enum TemporaryFiles {
    private static let turn = Mutex(())

    /// Keeps temporary files in an existing, writable folder, which is determined by the first
    /// store of the process.
    static func keep(in folder: String) {
        turn.withLock { _ in
            guard unsafe sqlite3_temp_directory == nil else { return }
            // The string is never freed, because SQLite uses it for as long as the process lives.
            unsafe sqlite3_temp_directory = strdup(folder)
        }
    }
}
