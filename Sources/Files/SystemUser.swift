import Glibc

package struct SystemUser: Hashable, Sendable, CustomStringConvertible {
    package let number: UInt32
    /// The name; nil if the system has no name for the user.
    package let name: String?

    /// The name, or `#` and the number, as `sudo -u` accepts it.
    package var description: String { name ?? "#\(number)" }

    /// The name or the number, for sentences and chown(1).
    package var word: String { name ?? "\(number)" }

    package static var current: SystemUser { SystemUser(geteuid()) }

    package init(_ number: UInt32) {
        self.number = number
        name = Self.name(of: number)
    }

    /// Looks up the name (getpwuid_r(3)).
    private static func name(of number: UInt32) -> String? {
        // A buffer that is larger than any entry.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 16) { buffer in
            var entry = unsafe passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard let start = buffer.baseAddress,
                unsafe getpwuid_r(number, &entry, start, buffer.count, &found) == 0,
                unsafe found != nil
            else { return nil }
            return unsafe String(cString: entry.pw_name)
        }
    }

    /// The other user, if any, who owns the file or folder that denies this process access to a
    /// path.
    package static func denying(_ path: String) -> SystemUser? {
        var place = path
        while true {
            do throws(SystemError) {
                let status = try FileStatus(of: place)
                // A folder may be inaccessible although its parents are accessible.
                return status.owner == geteuid() ? nil : SystemUser(status.owner)
            } catch {
                let above = Path.folder(of: place)
                guard error.kind == .denied, above != place else { return nil }
                place = above
            }
        }
    }
}
