import CAttributes
import Glibc

/// The users and groups that can access a file, besides its owner and root.
///
/// The ways in which container platforms grant access are not regarded as access by others: a group
/// that only this process has, an access control list for this user, and a read-only mount.
package struct FileReach: Hashable, Sendable {
    package enum Holder: Hashable, Sendable {
        case user(UInt32)
        case group(UInt32)
        case everybody
    }

    /// The granted permissions, as in the last digit of a mode.
    package struct Grant: Hashable, Sendable {
        let holder: Holder
        let bits: UInt32

        package init(_ holder: Holder, _ bits: UInt32) {
            self.holder = holder
            self.bits = bits
        }
    }

    package enum Mount: Hashable, Sendable {
        case writable
        /// The mount is read-only. The file may still be writable elsewhere, because systemd can
        /// show a unit the whole system as read-only.
        case readOnly
        /// The mount is a volume that the container's operator chose.
        case readOnlyInContainer
    }

    package let status: FileStatus
    package let user: UInt32
    private let grants: [Grant]
    /// The groups among the grants that have no other members.
    private let ownGroups: Set<UInt32>
    /// Whether a folder above the file is inaccessible to others, and the file has no other name.
    private let isShutIn: Bool
    package let mount: Mount
    /// Whether the file is below `/run/secrets` or `$CREDENTIALS_DIRECTORY`.
    package let isPlatformSecret: Bool

    package init(
        _ status: FileStatus, user: UInt32, grants: [Grant]? = nil, ownGroups: Set<UInt32> = [],
        isShutIn: Bool = false, mount: Mount = .writable, isPlatformSecret: Bool = false
    ) {
        self.status = status
        self.user = user
        self.grants = grants ?? Self.grants(byModeOf: status)
        self.ownGroups = ownGroups
        self.isShutIn = isShutIn
        self.mount = mount
        self.isPlatformSecret = isPlatformSecret
    }

    package init(of path: String, user: UInt32 = geteuid()) throws(SystemError) {
        self.init(try FileStatus(of: path), at: path, user: user)
    }

    package init(_ status: FileStatus, at path: String, user: UInt32) {
        let real = try? Path.real(path)
        self.init(
            status, at: path, user: user,
            isShutIn: status.nameCount == 1 && real.map { Self.isShutIn($0, user) } ?? false,
            mount: Self.mount(of: path),
            isPlatformSecret: real.map(Self.isPlatformSecret) ?? false)
    }

    private init(
        _ status: FileStatus, at path: String, user: UInt32, isShutIn: Bool, mount: Mount,
        isPlatformSecret: Bool
    ) {
        let grants = Self.grants(of: status, at: path).filter { $0.bits != 0 }
        let groups = grants.compactMap { grant -> UInt32? in
            guard case .group(let number) = grant.holder, let group = SystemGroup(number),
                group.isOnly(
                    SystemUser(user), isJoined: SystemGroup.isJoined(number),
                    isContained: Container.isHere)
            else { return nil }
            return number
        }
        self.init(
            status, user: user, grants: grants, ownGroups: Set(groups), isShutIn: isShutIn,
            mount: mount, isPlatformSecret: isPlatformSecret)
    }

    /// The permissions of others, as in the last digit of a mode.
    ///
    /// - Parameter trusted: a group that is not regarded as others, besides groups without other
    ///   members.
    func others(except trusted: UInt32? = nil) -> UInt32 {
        guard !isShutIn else { return 0 }
        return grants.reduce(0) { bits, grant in
            let isOther =
                switch grant.holder {
                case .user(let number): ![user, 0, status.owner].contains(number)
                case .group(let number): number != trusted && !ownGroups.contains(number)
                case .everybody: true
                }
            return isOther ? bits | grant.bits : bits
        }
    }

    // MARK: Inspecting

    private static func grants(byModeOf status: FileStatus) -> [Grant] {
        [
            Grant(.group(status.group), status.mode >> 3 & 7),
            Grant(.everybody, status.mode & 7),
        ]
    }

    /// Reads the access control list (acl(5)) if there is one, otherwise the mode.
    private static func grants(of status: FileStatus, at path: String) -> [Grant] {
        // With a list, the group digit of the mode is the maximum that the list grants.
        guard status.mode & 0o070 != 0 else { return grants(byModeOf: status) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe getxattr(path, "system.posix_acl_access", &bytes, bytes.count)
        guard count >= 0 else {
            return [ENODATA, ENOTSUP].contains(errno)
                ? grants(byModeOf: status)
                : [Grant(.everybody, (status.mode | status.mode >> 3) & 7)]
        }
        return grants(ofList: bytes.prefix(count), group: status.group)
    }

    /// Reads a list in the kernel's format, which is a version followed by entries of tag,
    /// permissions and number.
    package static func grants(ofList list: some Sequence<UInt8>, group: UInt32) -> [Grant] {
        let bytes = Array(list.dropFirst(4))
        let entries = stride(from: 0, to: bytes.count - 7, by: 8).map { start in
            let fields = bytes[start..<start + 8].map { UInt32($0) }
            return (
                tag: fields[0] | fields[1] << 8, bits: fields[2] & 7,
                number: fields[4] | fields[5] << 8 | fields[6] << 16 | fields[7] << 24
            )
        }
        let mask = entries.first { $0.tag == 0x10 }?.bits ?? 7
        return entries.compactMap { entry in
            switch entry.tag {
            case 0x02: Grant(.user(entry.number), entry.bits & mask)
            case 0x04: Grant(.group(group), entry.bits & mask)
            case 0x08: Grant(.group(entry.number), entry.bits & mask)
            case 0x20: Grant(.everybody, entry.bits)
            default: nil
            }
        }
    }

    private static func isShutIn(_ path: String, _ user: UInt32) -> Bool {
        var folder = path
        while folder != "/" {
            folder = Path.folder(of: folder)
            do throws(SystemError) {
                let status = try FileStatus(of: folder)
                let reach = FileReach(
                    status, at: folder, user: user, isShutIn: false, mount: .writable,
                    isPlatformSecret: false)
                if [user, 0].contains(status.owner), reach.others() & 1 == 0 { return true }
            } catch {
                return false
            }
        }
        return false
    }

    private static func mount(of path: String) -> Mount {
        var status = statvfs()
        // ST_RDONLY
        guard unsafe statvfs(path, &status) == 0, status.f_flag & 1 != 0 else { return .writable }
        return Container.isHere ? .readOnlyInContainer : .readOnly
    }

    private static func isPlatformSecret(_ path: String) -> Bool {
        let credentials = unsafe getenv("CREDENTIALS_DIRECTORY").map { unsafe String(cString: $0) }
        return ["/run/secrets", credentials].compactMap(\.self).contains { folder in
            let folder = Path.resolved(folder)
            return Path.steps(of: folder).count > 1 && Path.relative(path, to: folder) != nil
        }
    }
}

extension OpenFile {
    /// - Parameter user: the user who wants to use the file.
    package func reach(user: UInt32 = geteuid()) throws(SystemError) -> FileReach {
        // Use the open file, because its path may lead to another file in the meantime.
        try FileReach(status(), at: "/proc/self/fd/\(descriptor)", user: user)
    }
}
