import Glibc

package struct SystemGroup: Hashable, Sendable {
    /// The number that the system shows for groups without a number here (user_namespaces(7)).
    private static let unmapped: UInt32 = 65_534
    /// Smaller numbers are system groups, such as `users`, which may contain anybody.
    private static let firstOfUsers: UInt32 = 1_000

    private let number: UInt32
    /// The name; nil if the system has no such group, for example the `fsGroup` of a pod.
    private let name: String?
    private let members: [String]
    private let users: [UInt32]

    /// `name` is nil if the system has no such group; `users` are those whose primary group this
    /// is.
    package init(_ number: UInt32, name: String?, members: [String] = [], users: [UInt32] = []) {
        self.number = number
        self.name = name
        self.members = members
        self.users = users
    }

    /// Looks up a group; nil if the system does not answer.
    init?(_ number: UInt32) {
        // A buffer that is larger than the entry of any group with one user.
        let found: (name: String?, members: [String])? =
            unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 16) { buffer in
                var entry = unsafe group()
                var found: UnsafeMutablePointer<group>?
                guard let start = buffer.baseAddress,
                    unsafe getgrgid_r(number, &entry, start, buffer.count, &found) == 0
                else { return nil }
                guard unsafe found != nil else { return (nil, []) }
                var members: [String] = []
                var next = unsafe entry.gr_mem
                while let member = unsafe next?.pointee {
                    unsafe members.append(String(cString: member))
                    unsafe next = next?.successor()
                }
                return unsafe (String(cString: entry.gr_name), members)
            }
        guard let found, let users = Self.users(of: number) else { return nil }
        self.init(number, name: found.name, members: found.members, users: users)
    }

    /// The users in `/etc/passwd` who have this primary group (passwd(5)).
    private static func users(of group: UInt32) -> [UInt32]? {
        do throws(SystemError) {
            guard try FileStatus.find("/etc/passwd") != nil else { return [] }
            let text = try OpenFile("/etc/passwd", for: .reading).contents(limit: 16 << 20)
            return text.map { text in
                String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
                    let fields = line.split(separator: ":", omittingEmptySubsequences: false)
                    guard fields.count > 3, UInt32(fields[3]) == group else { return nil }
                    return UInt32(fields[2])
                }
            }
        } catch {
            return nil
        }
    }

    /// Whether the group has no members except a user and root.
    ///
    /// Root's own group is treated as root, regardless of the accounts that an image adds to it,
    /// because containers with a random user run with this group. A group without a name is safe
    /// only in a container that runs with this group, because other systems may use the number. A
    /// named group must follow the convention of one group per user, because a directory server
    /// need not list its primary members.
    package func isOnly(_ user: SystemUser, isJoined: Bool, isContained: Bool) -> Bool {
        guard number != Self.unmapped, members.allSatisfy({ [user.name, "root"].contains($0) })
        else { return false }
        if number == 0 { return true }
        guard users.allSatisfy({ [user.number, 0].contains($0) }) else { return false }
        guard let name else { return isJoined && isContained }
        return name == user.name
            || number == user.number && number >= Self.firstOfUsers
    }

    static func isJoined(_ number: UInt32) -> Bool {
        guard getegid() != number else { return true }
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = unsafe getgroups(Int32(groups.count), &groups)
        return groups.prefix(Int(max(0, count))).contains(number)
    }
}
