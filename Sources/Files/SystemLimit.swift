import Glibc

/// A resource limit of a process, its user or the machine.
package enum SystemLimit: Hashable, Sendable {
    /// The number of files and connections that this process may open (`EMFILE`).
    case openFiles(Int)
    /// The number of files and connections of all processes together (`ENFILE`).
    case allOpenFiles
    /// The size in bytes of a file that this process writes (`EFBIG`).
    case fileSize(Int)
    /// The user's disk quota (`EDQUOT`).
    case quota
    /// The memory of this process (`ENOMEM`).
    case memory

    /// The limit that an error number refers to, if any.
    package init?(errorNumber: Int32) {
        switch errorNumber {
        case EMFILE: self = .openFiles(OpenFiles.limit)
        case ENFILE: self = .allOpenFiles
        case EFBIG: self = .fileSize(Self.largestFile ?? 0)
        case EDQUOT: self = .quota
        case ENOMEM: self = .memory
        default: return nil
        }
    }

    /// The limit that prevents this process from opening another file, if any.
    package static var ofOpening: SystemLimit? {
        do throws(SystemError) {
            _ = try OpenFile("/dev/null", for: .reading)
            return nil
        } catch {
            return SystemLimit(errorNumber: error.number)
        }
    }

    /// The maximum size of a file that this process writes; nil if there is no limit.
    package static let largestFile: Int? = {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0,
            limit.rlim_cur != rlim_t.max
        else { return nil }
        return Int(clamping: limit.rlim_cur)
    }()

    /// The limit that was reached, as part of a sentence.
    package var reason: String {
        switch self {
        case .openFiles(let count): "this process may open only \(count) files and connections"
        case .allOpenFiles: "the system's limit on open files is reached"
        case .fileSize(let bytes): "this process may not write files of more than \(bytes) bytes"
        case .quota: "this user's disk quota is used up"
        case .memory: "the system has no more memory for this process"
        }
    }

    /// How to raise the limit, as the beginning of a sentence.
    package var remedy: String {
        switch self {
        case .openFiles(let count):
            "Raise the limit with `ulimit -n \(max(4_096, 4 * count))` (systemd: LimitNOFILE=)"
        case .allOpenFiles: "Close other programs, or raise the limit with `sysctl fs.file-max`"
        case .fileSize: "Raise the limit with `ulimit -f unlimited` (systemd: LimitFSIZE=infinity)"
        case .quota: "Free some space, or ask for a higher quota (`quota -s` shows it)"
        case .memory: "Raise the limit with `ulimit -v unlimited` (systemd: MemoryMax=infinity)"
        }
    }
}

/// The limit on files and connections that this process may have open at once.
package enum OpenFiles {
    /// The lowest limit with which a command can use a store and a hub.
    private static let fewest = 32
    /// A number that is higher than hubsend ever needs.
    private static let most: rlim_t = 65_536
    /// The files that the network threads open.
    private static let ofNetwork = 3 * min(16, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// The current limit.
    package static var limit: Int { Int(clamping: known.rlim_cur) }

    private static var known: rlimit {
        var limit = rlimit()
        // The usual limit, which is assumed on systems that do not report one.
        guard unsafe getrlimit(resource, &limit) == 0 else {
            return rlimit(rlim_cur: 1_024, rlim_max: 1_024)
        }
        return limit
    }

    /// Raises the limit as far as the system allows.
    private static func raise() {
        var limit = known
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, most))
        // If the limit cannot be raised, the old limit remains in effect.
        _ = unsafe setrlimit(resource, &limit)
    }

    /// Raises the limit if it is too low for any command.
    package static func requireFewest() throws(TooFewFiles) {
        guard limit < fewest else { return }
        raise()
        guard limit >= fewest else { throw TooFewFiles(limit: limit, needed: fewest) }
    }

    /// Raises the limit; returns how many connections fit in addition to the files that are or will
    /// be open.
    ///
    /// - Parameters:
    ///   - reserve: the files of the work itself, without the network threads.
    ///   - each: the files per connection, two if both of its ends are in this process.
    package static func connections(
        atMost wanted: Int, reserve: Int = 64, each: Int = 1
    ) throws(TooFewFiles) -> Int {
        raise()
        let needed = openCount + reserve + ofNetwork
        let count = (limit - needed) / each
        guard count > 0 else { throw TooFewFiles(limit: limit, needed: needed + each) }
        return min(wanted, count)
    }

    private static var openCount: Int {
        do throws(SystemError) {
            return try Folder.names(in: "/proc/self/fd").count
        } catch {
            return 16
        }
    }
}

/// The error if the limit on open files is too low to begin.
package struct TooFewFiles: Error, Hashable, Sendable, CustomStringConvertible {
    package let limit: Int
    package let needed: Int

    package var description: String {
        """
        This process may open only \(limit) files and connections but needs at least \(needed), so nothing was \
        done. \(SystemLimit.openFiles(limit).remedy).
        """
    }
}
