import SystemPackage

package struct FileStatus: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case regular
        case folder
        /// A link, which is possible only if links are not followed.
        case link
        /// A pipe, socket or device.
        case special
    }

    package var kind: Kind = .regular
    package let owner: UInt32
    package let group: UInt32
    package let mode: UInt32
    /// The size in bytes.
    package var size = 0
    package var nameCount = 1
    package var identity = FileIdentity(device: 0, number: 0)
    /// A stamp that changes with the file.
    package var stamp: FileStamp = .none
    /// When the content last changed, in seconds since 1970.
    package var modified = 0
}

extension FileStatus {
    package init(of path: String, followingLinks: Bool = true) throws(SystemError) {
        do {
            self.init(unsafe try Stat(path, followTargetSymlink: followingLinks))
        } catch {
            throw SystemError(number: error.rawValue)
        }
    }

    /// Returns nil if nothing exists at the path.
    package static func find(
        _ path: String, followingLinks: Bool = true
    ) throws(SystemError) -> FileStatus? {
        do {
            return try FileStatus(of: path, followingLinks: followingLinks)
        } catch {
            guard error.kind == .missing else { throw error }
            return nil
        }
    }

    init(descriptor: Int32) throws(SystemError) {
        do {
            self.init(try Stat(FileDescriptor(rawValue: descriptor)))
        } catch {
            throw SystemError(number: error.rawValue)
        }
    }

    private init(_ stat: Stat) {
        let kind: Kind =
            switch stat.type {
            case .regular: .regular
            case .directory: .folder
            case .symbolicLink: .link
            default: .special
            }
        self.init(
            kind: kind, owner: stat.userID.rawValue, group: stat.groupID.rawValue,
            mode: UInt32(stat.permissions.rawValue), size: Int(stat.size),
            nameCount: stat.linkCount,
            identity: FileIdentity(
                device: UInt64(stat.deviceID.rawValue), number: UInt64(stat.inode.rawValue)),
            stamp: FileStamp(stat), modified: Self.seconds(of: stat))
    }

    /// Reads the seconds at the beginning of a `timespec` from its bytes, as ``FileStamp`` does.
    private static func seconds(of stat: Stat) -> Int {
        unsafe withUnsafeBytes(of: stat.st_mtim) { unsafe $0.loadUnaligned(as: Int.self) }
    }
}

/// Identifies a file independently of its path.
package struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    /// The number of its inode.
    package let number: UInt64

    /// The device as `major:minor`, as in the kernel's list of mounts (`<sys/sysmacros.h>`, which
    /// Swift does not import).
    package var deviceNumbers: String {
        let major = (device >> 8 & 0xFFF) | (device >> 32 & ~0xFFF)
        let minor = (device & 0xFF) | (device >> 12 & ~0xFF)
        return "\(UInt32(truncatingIfNeeded: major)):\(UInt32(truncatingIfNeeded: minor))"
    }
}

/// Distinguishes versions of a file without reading it, by the times when its content and its
/// status, such as its mode, last changed.
package struct FileStamp: Hashable, Sendable {
    /// The stamp of a missing file.
    package static let none = FileStamp(times: [])

    private let times: [[UInt8]]

    private init(times: [[UInt8]]) {
        self.times = times
    }

    fileprivate init(_ stat: Stat) {
        // Bytes are used because the fields of C's times belong to whichever C module the compiler
        // read first.
        times = [stat.st_mtim, stat.st_ctim].map { time in
            unsafe withUnsafeBytes(of: time) { unsafe [UInt8]($0) }
        }
    }
}
