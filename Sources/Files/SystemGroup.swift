import Glibc

package struct SystemGroup: Hashable, Sendable {
    /// What the system shows for each group that has no number here (user_namespaces(7)).
    private static let unmapped: UInt32 = 65_534
    /// Smaller numbers are the system's, such as `users`, in which anybody may be.
    private static let firstOfUsers: UInt32 = 1_000

    private let number: UInt32
    /// nil: the system has no such group, as for the `fsGroup` of a pod.
    private let name: String?
    private let members: [String]
    private let users: [UInt32]

    /// `name` is nil if the system has no such group; `users` have it as their first group.
    package init(_ number: UInt32, name: String?, members: [String] = [], users: [UInt32] = []) {
        self.number = number
        self.name = name
        self.members = members
        self.users = users
    }

    /// Looks a group up; nil when the system does not answer.
    init?(_ number: UInt32) {
        // More than the names of any group that is one user's own.
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

    /// The users in `/etc/passwd` whose first group it is (passwd(5)).
    private static func users(of group: UInt32) -> [UInt32]? {
        do throws(SystemFault) {
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

    /// Whether nobody but a user and root is in the group.
    ///
    /// Root's own group counts as root, whatever accounts an image puts into it: a container with a
    /// random user runs in it. A group without a name is safe only in a container that is in it,
    /// since another system may know it. A named one has to be the custom of one group for each
    /// user, since a directory server need not list whose first group it is.
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
