import Crypto
import FoundationEssentials
import Glibc

/// The file beside the store in which single bytes are locked, one for each campaign and one for opening the store.
///
/// Open file description locks (`fcntl(2)`, `F_OFD_SETLK`): they die with their process, hold between two openings in one process, and
/// leave nothing behind for each campaign.
struct LockFile {
    private static let openingByte: off_t = 0
    /// `F_OFD_SETLK` and `F_OFD_SETLKW` of `<fcntl.h>`, which Swift does not import.
    private static let tryCommand: Int32 = 37
    private static let waitCommand: Int32 = 38

    let path: String

    private var place: StorePlace { .lock(path: path) }

    init(besideStoreAt path: String) {
        self.path = path + ".lock"
    }

    /// Takes a campaign's byte; nil when someone else has it.
    func acquire(campaign: String) throws(StoreError) -> HeldLock? {
        let lock = try opened()
        return try take(Self.byte(of: campaign), in: lock, command: Self.tryCommand) ? lock : nil
    }

    /// Waits until nobody else opens the store.
    func waitForOpening() throws(StoreError) -> HeldLock {
        let lock = try opened()
        _ = try take(Self.openingByte, in: lock, command: Self.waitCommand)
        return lock
    }

    /// Which byte a campaign's name stands for: any of 2^62 but the one for opening.
    static func byte(of campaign: String) -> off_t {
        let digest = SHA256.hash(data: Data(campaign.utf8))
        return 1 + off_t(digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 2)
    }

    private func opened() throws(StoreError) -> HeldLock {
        try StoreFolder.create(FilePath.folder(of: path), at: place)
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemFault.error(errno, at: place) }
        return HeldLock(descriptor: descriptor)
    }

    private func take(_ byte: off_t, in lock: HeldLock, command: Int32) throws(StoreError) -> Bool {
        var range = flock()
        range.l_type = Int16(F_WRLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = byte
        range.l_len = 1
        while true {
            if unsafe fcntl(lock.descriptor, command, &range) == 0 { return true }
            switch errno {
            case EINTR: continue
            case EAGAIN, EACCES: return false
            default: throw SystemFault.error(errno, at: place)
            }
        }
    }
}
