package import CampaignCore
import Crypto
package import Files
import FoundationEssentials

/// The file beside the store in which single bytes are locked, one for each campaign and one for opening the store.
///
/// Bytes, since they leave nothing behind for each campaign.
struct LockFile {
    private static let openingByte: Int64 = 0

    private let path: String

    private var place: StorePlace { .lock(path: path) }

    init(besideStoreAt path: String) {
        self.path = path + ".lock"
    }

    /// Takes a campaign's byte; nil when someone else has it.
    func acquire(campaign: String) throws(StoreError) -> FileLock? {
        try place.access { () throws(SystemFault) in
            try FileLock.take(Self.byte(of: campaign), of: try opened())
        }
    }

    /// Whether someone has a campaign's byte; asking keeps nobody from taking it.
    func isHeld(campaign: String) throws(StoreError) -> Bool {
        try place.access { () throws(SystemFault) in
            let file: OpenFile
            do throws(SystemFault) {
                file = try OpenFile(path, for: .reading, followingLinks: false)
            } catch {
                // Whoever locks makes the file first.
                guard error.kind == .missing else { throw error }
                return false
            }
            return try FileLock.isTaken(Self.byte(of: campaign), of: file)
        }
    }

    /// Waits until nobody else opens the store.
    func waitForOpening() throws(StoreError) -> FileLock {
        try place.access { () throws(SystemFault) in
            try FileLock.wait(for: Self.openingByte, of: try opened())
        }
    }

    /// Which byte a campaign's name stands for: any of 2^62 but the one for opening.
    static func byte(of campaign: String) -> Int64 {
        let digest = SHA256.hash(data: Data(campaign.utf8))
        return 1 + Int64(digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 2)
    }

    private func opened() throws(SystemFault) -> OpenFile {
        try Folder.make(Path.folder(of: path))
        return try OpenFile(path, for: .locking, followingLinks: false)
    }
}

/// Keeps a second process away from a campaign of a store.
///
/// The lock is in the file `<store>.lock` (mode 0600) and dies with its process.
package struct StoreLock: CampaignLock {
    private let file: LockFile

    /// - Parameter path: the store's file; neither it nor its folder need exist.
    package init(besideStoreAt path: String) {
        self.file = LockFile(besideStoreAt: path)
    }

    package func acquire(campaign: String) throws -> (any HeldCampaignLock)? {
        try file.acquire(campaign: campaign)
    }

    /// Whether a process works on a campaign; asking keeps nobody from beginning to.
    ///
    /// - Throws: ``StoreError`` when the lock file cannot be opened.
    package func isHeld(campaign: String) throws -> Bool {
        try file.isHeld(campaign: campaign)
    }
}

extension FileLock: HeldCampaignLock {}
