package import CampaignCore
import Crypto
import Files
import FoundationEssentials
import Storage
import Synchronization

/// The store's file, whatever its name, and the locks on this file.
///
/// The locked bytes are far beyond any that SQLite locks or a store contains. A separate lock file
/// would not work, because a store with two names would have two of them, and a deleted lock file
/// would be created again.
final class StoreInode: Sendable {
    /// The byte that a process locks while it opens the store.
    private static let turn: Int64 = 1 << 60
    /// One byte for each name by which the store is used; its users share the lock.
    private static let names: ClosedRange<Int64> = 1 << 61...(1 << 62) - 1
    /// The first of the bytes for campaigns, one byte for each campaign.
    private static let firstCampaign: Int64 = 1 << 62
    /// SQLite's files next to the name by which it opened a store.
    static let logs = ["-wal", "-journal"]

    /// How many bytes are searched at once; no name is that long.
    private static let block = 1 << 20

    private let path: String
    private let file: SharedFile
    private let name = Mutex<FileLock?>(nil)
    private let wasReplaced = Atomic(false)

    var place: StoreComponent { .store(path: path) }
    var identity: FileIdentity { file.identity }

    private init(path: String, file: SharedFile) {
        self.path = path
        self.file = file
    }

    deinit {
        letGo()
    }

    /// Returns nil if there is no file; throws if it is not a regular file.
    static func find(_ path: String, isWritable: Bool) throws(StoreError) -> StoreInode? {
        let place = StoreComponent.store(path: path)
        return try place.access { () throws(SystemError) -> Result<StoreInode?, StoreError> in
            guard let status = try FileStatus.find(path) else { return .success(nil) }
            guard status.kind == .regular else { return .failure(.notAStore(place)) }
            let file = try SharedFile(path, isWritable: isWritable)
            return .success(StoreInode(path: path, file: file))
        }.get()
    }

    /// Returns fewer bytes if the file is shorter.
    func beginning(_ most: Int) throws(StoreError) -> [UInt8] {
        try use { file throws(SystemError) in
            var bytes: [UInt8] = []
            try file.read(at: 0, count: min(most, file.status().size), into: &bytes)
            return bytes
        }
    }

    /// The log next to the file is not included.
    func size() throws(StoreError) -> Int {
        try use { file throws(SystemError) in try file.status().size }
    }

    /// Whether the file contains a sequence of one or more bytes.
    func contains(_ bytes: [UInt8]) throws(StoreError) -> Bool {
        try use { file throws(SystemError) in
            let size = try file.status().size
            var block: [UInt8] = []
            var start = 0
            while start < size {
                block.removeAll(keepingCapacity: true)
                try file.read(at: start, count: min(Self.block, size - start), into: &block)
                if block.firstOccurrence(of: bytes) != nil { return true }
                // A sequence may cross the boundary between two blocks.
                start += Self.block - bytes.count
            }
            return false
        }
    }

    /// Checks that this file is at its path and has always been there.
    ///
    /// If it was ever replaced, a connection may have opened the other file, so moving it back does
    /// not help.
    func checkPlace() throws(StoreError) {
        if try !isInPlace() { wasReplaced.store(true, ordering: .relaxed) }
        if wasReplaced.load(ordering: .relaxed) { throw .replaced(place) }
    }

    func isInPlace() throws(StoreError) -> Bool {
        try place.access { () throws(SystemError) in
            try FileStatus.find(path)?.identity == file.identity
        }
    }

    private func use<Value>(
        _ calls: (OpenFile) throws(SystemError) -> Value
    ) throws(StoreError) -> Value {
        try place.access { () throws(SystemError) in try file.withFile(calls) }
    }

    // MARK: Locks

    func waitForTurn() throws(StoreError) -> HeldStoreLock {
        let lock = try use { file throws(SystemError) in
            try FileLock.wait(for: Self.turn, of: file)
        }
        return HeldStoreLock([lock], of: self)
    }

    /// Locks a campaign's byte; returns nil if somebody else has locked it.
    func take(campaign: String) throws(StoreError) -> HeldStoreLock? {
        let number = Self.number(of: campaign)
        let locks = try use { file throws(SystemError) -> [FileLock]? in
            guard let lock = try FileLock.take(Self.firstCampaign + number, of: file) else {
                return nil
            }
            guard let earlier = try earlierLocks(for: .updating) else { return [lock] }
            return try FileLock.take(1 + number, of: earlier).map { [lock, $0] }
        }
        return locks.map { HeldStoreLock($0, of: self) }
    }

    /// Whether somebody has locked a campaign's byte; the check locks nothing.
    func isHeld(campaign: String) throws(StoreError) -> Bool {
        let number = Self.number(of: campaign)
        return try use { file throws(SystemError) in
            if try FileLock.isTaken(Self.firstCampaign + number, of: file) { return true }
            guard let earlier = try earlierLocks(for: .reading) else { return false }
            return try FileLock.isTaken(1 + number, of: earlier)
        }
    }

    /// The lock file of earlier versions; nil if no earlier version has used the store.
    private func earlierLocks(for purpose: OpenFile.Purpose) throws(SystemError) -> OpenFile? {
        try OpenFile.find(path + ".lock", for: purpose, followingLinks: false)
    }

    static func number(of text: String) -> Int64 {
        let digest = SHA256.hash(data: Data(text.utf8))
        return Int64(digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 2)
    }

    // MARK: Names

    /// Locks the name by which the store is used until ``letGo()``, so that no other name can be
    /// used.
    ///
    /// SQLite keeps the last changes next to the name by which it opened the file. Processes that
    /// use two names miss each other's changes and corrupt the store. A link to the folder or
    /// another mount is not a second name.
    func takeName() throws(StoreError) {
        let (folder, ownName, byte) = try place.access { () throws(SystemError) in
            let real = try Path.real(path)
            let folder = Path.folder(of: real)
            let name = Path.name(of: real) ?? ""
            let number = try FileStatus(of: folder).identity.number
            // This is neither the first byte nor the last, so that there are bytes on both sides.
            return (
                folder, name,
                Self.names.lowerBound + 1 + (Self.number(of: "\(number)/\(name)") >> 2)
            )
        }
        let lock = try use { file throws(SystemError) -> FileLock? in
            guard let lock = try FileLock.take(byte, of: file, isShared: true) else { return nil }
            // Each process locks its own byte before it checks the others, so that of two
            // simultaneous processes at least one sees the other.
            for others in [Self.names.lowerBound...byte - 1, byte + 1...Self.names.upperBound]
            where try FileLock.isAnyTaken(others, of: file) { return nil }
            return lock
        }
        guard let lock else { throw .usedByAnotherName(place) }
        name.withLock { $0 = lock }
        guard try isAllOfIt(ownName, in: folder) else {
            letGo()
            throw .hasFurtherNames(place)
        }
    }

    /// Whether nobody else is using the store, under any name.
    func isAlone() throws(StoreError) -> Bool {
        try use { file throws(SystemError) in try !FileLock.isAnyTaken(Self.names, of: file) }
    }

    /// Whether it is certain that no log is next to another name: there is no other name, or all
    /// names are in this folder and have no log.
    private func isAllOfIt(_ ownName: String, in folder: String) throws(StoreError) -> Bool {
        try use { file throws(SystemError) in
            let count = try file.status().nameCount
            guard count > 1 else { return true }
            var known = 1
            for name in try Folder.names(in: folder) where name != ownName {
                let path = Path.file(name, in: folder)
                let status = try FileStatus.find(path, followingLinks: false)
                guard status?.identity == self.file.identity else { continue }
                known += 1
                for log in Self.logs where try FileStatus.find(path + log)?.size ?? 0 > 0 {
                    return false
                }
            }
            return known == count
        }
    }

    func letGo() {
        name.withLock { name in
            name?.release()
            name = nil
        }
    }
}

/// Locks in a store's file, which last until they are released, the last reference is gone or the
/// process ends.
final class HeldStoreLock: HeldCampaignLock {
    private let locks: [FileLock]
    /// Keeps the file open.
    private let inode: StoreInode

    fileprivate init(_ locks: [FileLock], of inode: StoreInode) {
        self.locks = locks
        self.inode = inode
    }

    deinit {
        release()
    }

    func release() {
        locks.forEach { $0.release() }
    }
}

/// Keeps other processes away from a campaign, even under another name of the store; the lock ends
/// with the process.
package struct StoreLock: CampaignLock {
    private let path: String

    package init(ofStoreAt path: String) {
        self.path = path
    }

    package func acquire(campaign: String) throws -> (any HeldCampaignLock)? {
        guard let inode = try StoreInode.find(path, isWritable: true) else {
            throw StoreError.replaced(.store(path: path))
        }
        return try inode.take(campaign: campaign)
    }

    package func isHeld(campaign: String) throws -> Bool {
        try StoreInode.find(path, isWritable: false)?.isHeld(campaign: campaign) ?? false
    }
}
