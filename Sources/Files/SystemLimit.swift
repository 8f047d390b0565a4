import Glibc

/// A limit on what a process, its user or the machine may use.
package enum SystemLimit: Hashable, Sendable {
    /// Files and connections of this process, which may open this many (`EMFILE`).
    case openFiles(Int)
    /// Files and connections of all processes together (`ENFILE`).
    case allOpenFiles
    /// The bytes of a file that this process writes (`EFBIG`).
    case fileSize(Int)
    /// The user's share of the disk (`EDQUOT`).
    case quota
    /// Memory (`ENOMEM`).
    case memory

    /// The limit behind an error number; nil: it names none.
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

    /// The limit that keeps this process from opening another file; nil: it can open one.
    package static var ofOpening: SystemLimit? {
        do throws(SystemFault) {
            _ = try OpenFile("/dev/null", for: .reading)
            return nil
        } catch {
            return SystemLimit(errorNumber: error.number)
        }
    }

    /// The most bytes of a file that this process writes; nil: there is no limit.
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
        case .allOpenFiles: "the machine's limit of open files is reached"
        case .fileSize(let bytes): "this process may not write files of more than \(bytes) bytes"
        case .quota: "the disk quota of this user is used up"
        case .memory: "the system gives this process no more memory"
        }
    }

    /// What raises it, as the beginning of a sentence.
    package var remedy: String {
        switch self {
        case .openFiles(let count):
            "Raise the limit with `ulimit -n \(max(4_096, 4 * count))` (systemd: LimitNOFILE=)"
        case .allOpenFiles: "Close other programs, or raise the limit with `sysctl fs.file-max`"
        case .fileSize: "Raise the limit with `ulimit -f unlimited` (systemd: LimitFSIZE=infinity)"
        case .quota: "Make room, or have the quota raised (`quota -s` shows it)"
        case .memory: "Raise the limit with `ulimit -v unlimited` (systemd: MemoryMax=infinity)"
        }
    }
}

/// The files and connections that this process may have open at once.
package enum OpenFiles {
    /// Less than any command needs with a store and a hub.
    private static let fewest = 32
    /// More than hubsend ever uses.
    private static let most: rlim_t = 65_536
    /// What the threads of the network open.
    private static let ofNetwork = 3 * min(16, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// The limit that counts now.
    package static var limit: Int { Int(clamping: known.rlim_cur) }

    private static var known: rlimit {
        var limit = rlimit()
        // The usual one, for systems that report none.
        guard unsafe getrlimit(resource, &limit) == 0 else {
            return rlimit(rlim_cur: 1_024, rlim_max: 1_024)
        }
        return limit
    }

    /// Raises the limit as far as the system allows.
    private static func raise() {
        var limit = known
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, most))
        // If it cannot be raised, the old one stays.
        _ = unsafe setrlimit(resource, &limit)
    }

    /// Raises a limit that is too low for any command.
    package static func requireFewest() throws(TooFewFiles) {
        guard limit < fewest else { return }
        raise()
        guard limit >= fewest else { throw TooFewFiles(limit: limit, needed: fewest) }
    }

    /// Raises the limit, and says how many connections fit beside what is open and will be opened.
    ///
    /// - Parameters:
    ///   - reserve: the files of the work itself, without the threads of the network.
    ///   - each: the files of one connection, two where both of its ends are in this process.
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
        do throws(SystemFault) {
            return try Folder.names(in: "/proc/self/fd").count
        } catch {
            return 16
        }
    }
}

/// The limit of open files is too low to begin.
package struct TooFewFiles: Error, Hashable, Sendable, CustomStringConvertible {
    package let limit: Int
    package let needed: Int

    package var description: String {
        """
        This process may open only \(limit) files and connections, and needs at least \(needed), so nothing was \
        done. \(SystemLimit.openFiles(limit).remedy).
        """
    }
}
