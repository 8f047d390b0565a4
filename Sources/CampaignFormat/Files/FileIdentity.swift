import Glibc

/// Which file it is, whatever path leads to it.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }

    /// The file or folder at a path, links followed; nil when there is none or it cannot be reached.
    init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
