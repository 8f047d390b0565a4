import SystemPackage

/// What the system says about a file: its kind, its owner and its mode.
package struct FileStatus: Hashable, Sendable {
    /// What stands at a path.
    package enum Kind: Hashable, Sendable {
        case regular
        case folder
        /// Only where links are not followed.
        case link
        /// A pipe, socket or device.
        case special
    }

    package let kind: Kind
    /// The user's number.
    package let owner: UInt32
    /// The group's number.
    package let group: UInt32
    /// The permission bits.
    package let mode: UInt32
    /// In bytes.
    package let size: Int
    /// How many names it has.
    package let nameCount: Int
    /// Which file it is, independent of the path that leads to it.
    package let identity: FileIdentity
    /// Tells this state of the file from another.
    package let stamp: FileStamp
    /// When its content last changed, in whole seconds since 1970.
    package let modified: Int

    /// Says it as the system would.
    package init(
        kind: Kind = .regular, owner: UInt32, group: UInt32, mode: UInt32, size: Int = 0,
        nameCount: Int = 1,
        identity: FileIdentity = FileIdentity(device: 0, number: 0), stamp: FileStamp = .none,
        modified: Int = 0
    ) {
        self.kind = kind
        self.owner = owner
        self.group = group
        self.mode = mode
        self.size = size
        self.nameCount = nameCount
        self.identity = identity
        self.stamp = stamp
        self.modified = modified
    }

    /// Asks about a path.
    ///
    /// - Parameters:
    ///   - path: the file or folder.
    ///   - followingLinks: whether to ask about what a link leads to, or about the link.
    /// - Throws: ``SystemFault``, also when nothing is there.
    package init(of path: String, followingLinks: Bool = true) throws(SystemFault) {
        do {
            self.init(unsafe try Stat(path, followTargetSymlink: followingLinks))
        } catch {
            throw SystemFault(number: error.rawValue)
        }
    }

    /// Asks about a path at which nothing need be.
    ///
    /// - Parameters:
    ///   - path: the file or folder.
    ///   - followingLinks: whether to ask about what a link leads to, or about the link.
    /// - Returns: nil when nothing is there.
    /// - Throws: ``SystemFault`` when the system does not say.
    package static func find(
        _ path: String, followingLinks: Bool = true
    ) throws(SystemFault) -> FileStatus? {
        do {
            return try FileStatus(of: path, followingLinks: followingLinks)
        } catch {
            guard error.kind == .missing else { throw error }
            return nil
        }
    }

    /// Asks about a file that is open.
    init(descriptor: Int32) throws(SystemFault) {
        do {
            self.init(try Stat(FileDescriptor(rawValue: descriptor)))
        } catch {
            throw SystemFault(number: error.rawValue)
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

    /// The seconds of the time of the last change, which are the first number of it (clock_gettime(3), `timespec`).
    ///
    /// As bytes, for the reason that ``FileStamp`` has.
    private static func seconds(of stat: Stat) -> Int {
        unsafe withUnsafeBytes(of: stat.st_mtim) { unsafe $0.loadUnaligned(as: Int.self) }
    }
}

/// Which file it is, independent of the path that leads to it.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    /// Its inode's, which the same file has however its device is called.
    package let number: UInt64

    /// - Parameters:
    ///   - device: the number of the device that it is on.
    ///   - number: its inode's.
    package init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }

    /// The device as `major:minor`, as the kernel's list of mounts has it.
    ///
    /// Taken apart as `<sys/sysmacros.h>` does, which Swift does not import.
    package var deviceNumbers: String {
        let major = (device >> 8 & 0xFFF) | (device >> 32 & ~0xFFF)
        let minor = (device & 0xFF) | (device >> 12 & ~0xFF)
        return "\(UInt32(truncatingIfNeeded: major)):\(UInt32(truncatingIfNeeded: minor))"
    }
}

/// Tells one state of a file from another without reading it: by its size and its times.
///
/// The time of the last change of its status is part of it, so that a change of the mode is seen
/// too.
package struct FileStamp: Hashable, Sendable {
    /// Of a file that is not there.
    package static let none = FileStamp(times: [])

    private let times: [[UInt8]]

    private init(times: [[UInt8]]) {
        self.times = times
    }

    fileprivate init(_ stat: Stat) {
        // As bytes, since the fields of C's times belong to whichever C module the compiler read first.
        times = [stat.st_mtim, stat.st_ctim].map { time in
            unsafe withUnsafeBytes(of: time) { unsafe [UInt8]($0) }
        }
    }
}
