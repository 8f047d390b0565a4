// The compiler takes `stat` from whichever of its two modules it reads first.
import CoreFoundation
import Glibc

/// What tells one state of a file from another without reading it.
///
/// The time of the last change of its status is part of it, so that a change of the mode is seen
/// too.
enum FileStamp: Hashable, Sendable {
    case present(
        device: UInt, inode: UInt, size: Int, mode: UInt32, modified: [Int], changed: [Int])
    /// The system does not say; its error number.
    case absent(Int32)

    /// Asks about a path, links followed.
    init(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            self = .absent(errno)
            return
        }
        self = .present(
            device: UInt(status.st_dev), inode: UInt(status.st_ino), size: Int(status.st_size),
            mode: UInt32(status.st_mode),
            modified: [Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)],
            changed: [Int(status.st_ctim.tv_sec), Int(status.st_ctim.tv_nsec)])
    }
}
