package import CampaignCore
import Crypto
import Files
import FoundationEssentials
import Storage
import Synchronization

/// The store's file, independent of the name by which it was opened, and the locks on it.
///
/// Locked are bytes far behind all that SQLite locks or a store may hold. A separate file for the locks would not do: a store with two
/// names would have two of them, and one that was deleted would be made anew.
final class StoreInode: Sendable {
    /// Locked by a process while it opens the store.
    private static let turn: Int64 = 1 << 60
    /// One for each name by which the store is used; all who use that name share it.
    private static let names: ClosedRange<Int64> = 1 << 61...(1 << 62) - 1
    /// One for each campaign; as many follow.
    private static let firstCampaign: Int64 = 1 << 62
    /// What SQLite puts beside the name by which it opened a store.
    private static let logs = ["-wal", "-journal"]

    /// Bytes looked through at once; more than any name has.
    private static let block = 1 << 20

    private let path: String
    private let file: SharedFile
    private let name = Mutex<FileLock?>(nil)
    private let wasReplaced = Atomic(false)

    var place: StorePlace { .store(path: path) }

    private init(path: String, file: SharedFile) {
        self.path = path
        self.file = file
    }

    deinit {
        letGo()
    }

    /// Opens what stands at a path.
    ///
    /// - Parameters:
    ///   - path: the store's.
    ///   - isWritable: whether a turn or a campaign will be locked.
    /// - Returns: nil when nothing is there.
    /// - Throws: ``StoreError``, also for what is no regular file.
    static func find(_ path: String, isWritable: Bool) throws(StoreError) -> StoreInode? {
        let place = StorePlace.store(path: path)
        return try place.access { () throws(SystemFault) -> Result<StoreInode?, StoreError> in
            guard let status = try FileStatus.find(path) else { return .success(nil) }
            guard status.kind == .regular else { return .failure(.notAStore(place)) }
            let file = try SharedFile(path, isWritable: isWritable)
            return .success(StoreInode(path: path, file: file))
        }.get()
    }

    /// The first bytes of the file; fewer when it is shorter.
    func beginning(_ most: Int) throws(StoreError) -> [UInt8] {
        try use { file throws(SystemFault) in
            var bytes: [UInt8] = []
            try file.read(at: 0, count: min(most, file.status().size), into: &bytes)
            return bytes
        }
    }

    /// How many bytes the file has, without what still stands in the log beside it.
    func size() throws(StoreError) -> Int {
        try use { file throws(SystemFault) in try file.status().size }
    }

    /// Whether some bytes stand anywhere in the file.
    ///
    /// - Parameter bytes: at least one.
    func contains(_ bytes: [UInt8]) throws(StoreError) -> Bool {
        try use { file throws(SystemFault) in
            let size = try file.status().size
            var block: [UInt8] = []
            var start = 0
            while start < size {
                block.removeAll(keepingCapacity: true)
                try file.read(at: start, count: min(Self.block, size - start), into: &block)
                if block.firstPlace(of: bytes) != nil { return true }
                // What begins in one block may end in the next.
                start += Self.block - bytes.count
            }
            return false
        }
    }

    /// Makes sure that this file stands at its path, and always has.
    ///
    /// Once it did not, a connection may have been opened to the other file, so that putting it back does not help.
    ///
    /// - Throws: ``StoreError/replaced(_:)``, or why the system does not say.
    func checkPlace() throws(StoreError) {
        if try !isInPlace() { wasReplaced.store(true, ordering: .relaxed) }
        if wasReplaced.load(ordering: .relaxed) { throw .replaced(place) }
    }

    /// Whether this file stands at its path now.
    ///
    /// - Throws: ``StoreError``, when the system does not say.
    func isInPlace() throws(StoreError) -> Bool {
        try place.access { () throws(SystemFault) in
            try FileStatus.find(path)?.identity == file.identity
        }
    }

    private func use<Value>(
        _ calls: (OpenFile) throws(SystemFault) -> Value
    ) throws(StoreError) -> Value {
        try place.access { () throws(SystemFault) in try file.withFile(calls) }
    }

    // MARK: Locks

    /// Waits until nobody else opens the store.
    func waitForTurn() throws(StoreError) -> HeldStoreLock {
        let lock = try use { file throws(SystemFault) in
            try FileLock.wait(for: Self.turn, of: file)
        }
        return HeldStoreLock([lock], of: self)
    }

    /// Takes a campaign's byte; nil when someone else has it.
    func take(campaign: String) throws(StoreError) -> HeldStoreLock? {
        let number = Self.number(of: campaign)
        let locks = try use { file throws(SystemFault) -> [FileLock]? in
            guard let lock = try FileLock.take(Self.firstCampaign + number, of: file) else {
                return nil
            }
            guard let earlier = try lockFile(for: .updating) else { return [lock] }
            return try FileLock.take(1 + number, of: earlier).map { [lock, $0] }
        }
        return locks.map { HeldStoreLock($0, of: self) }
    }

    /// Whether someone has a campaign's byte; asking keeps nobody from taking it.
    func isHeld(campaign: String) throws(StoreError) -> Bool {
        let number = Self.number(of: campaign)
        return try use { file throws(SystemFault) in
            if try FileLock.isTaken(Self.firstCampaign + number, of: file) { return true }
            return try lockFile(for: .reading).map { earlier throws(SystemFault) in
                try FileLock.isTaken(1 + number, of: earlier)
            } ?? false
        }
    }

    /// The file in which earlier versions lock campaigns; nil where none of them has been.
    private func lockFile(for purpose: OpenFile.Purpose) throws(SystemFault) -> OpenFile? {
        do {
            return try OpenFile(path + ".lock", for: purpose, followingLinks: false)
        } catch {
            guard error.kind == .missing else { throw error }
            return nil
        }
    }

    /// A number below 2^62 for a text.
    static func number(of text: String) -> Int64 {
        let digest = SHA256.hash(data: Data(text.utf8))
        return Int64(digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 2)
    }

    // MARK: Its name

    /// Locks the name by which the store is used, until ``letGo()``; while it is, no other name can be used.
    ///
    /// SQLite keeps what was written last beside the name by which it opened the file. Under two names, each process misses what the
    /// other wrote, and together they destroy the store. A link or another mount of the folder is not a second name.
    ///
    /// - Throws: ``StoreError/usedByAnotherName(_:)``, ``StoreError/hasFurtherNames(_:)``, or that the system refuses it.
    func takeName() throws(StoreError) {
        let (folder, ownName, byte) = try place.access { () throws(SystemFault) in
            let real = try Path.real(path)
            let folder = Path.folder(of: real)
            let name = Path.name(of: real) ?? ""
            let number = try FileStatus(of: folder).identity.number
            // Neither the first nor the last, so that there is something on both sides.
            return (
                folder, name,
                Self.names.lowerBound + 1 + (Self.number(of: "\(number)/\(name)") >> 2)
            )
        }
        let lock = try use { file throws(SystemFault) -> FileLock? in
            guard let lock = try FileLock.take(byte, of: file, isShared: true) else { return nil }
            // First the own one, then a look at the others: of two that come at once, one is seen at least.
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

    /// Whether nobody else uses the store at this moment, by whatever name.
    ///
    /// - Throws: ``StoreError``, when the system does not say.
    func isAlone() throws(StoreError) -> Bool {
        try use { file throws(SystemFault) in try !FileLock.isAnyTaken(Self.names, of: file) }
    }

    /// Whether no part of the store can be beside another name: it has no other, or all are in this folder and have no log.
    private func isAllOfIt(_ ownName: String, in folder: String) throws(StoreError) -> Bool {
        try use { file throws(SystemFault) in
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

    /// Unlocks the name; further calls do nothing.
    func letGo() {
        name.withLock { name in
            name?.release()
            name = nil
        }
    }
}

/// Locks in the file of a store.
///
/// They end when this is released, when its last reference goes, and when the process ends in any way.
final class HeldStoreLock: Sendable {
    private let locks: [FileLock]
    /// Its file stays open for as long.
    private let inode: StoreInode

    fileprivate init(_ locks: [FileLock], of inode: StoreInode) {
        self.locks = locks
        self.inode = inode
    }

    deinit {
        release()
    }

    /// Lets go; nothing happens the second time.
    func release() {
        locks.forEach { $0.release() }
    }
}

/// Keeps a second process away from a campaign of a store, even if the two opened the store by different names.
///
/// The lock is in the store's file itself and dies with its process.
package struct StoreLock: CampaignLock {
    private let path: String

    /// - Parameter path: the store's file.
    package init(ofStoreAt path: String) {
        self.path = path
    }

    package func acquire(campaign: String) throws -> (any HeldCampaignLock)? {
        guard let inode = try StoreInode.find(path, isWritable: true) else {
            throw StoreError.replaced(.store(path: path))
        }
        return try inode.take(campaign: campaign)
    }

    /// Whether a process works on a campaign; asking keeps nobody from beginning to.
    ///
    /// - Throws: ``StoreError`` when the file cannot be opened.
    package func isHeld(campaign: String) throws -> Bool {
        try StoreInode.find(path, isWritable: false)?.isHeld(campaign: campaign) ?? false
    }
}

extension HeldStoreLock: HeldCampaignLock {}

extension SQLiteStore {
    package func isWorkedOn(campaign: String) async throws -> Bool {
        try StoreLock(ofStoreAt: path).isHeld(campaign: campaign)
    }
}
