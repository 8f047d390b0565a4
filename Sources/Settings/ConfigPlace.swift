import CampaignFormat
import Files
import Glibc

/// Which config file is used (contract, section 2).
struct ConfigPlace: Hashable {
    /// How a config file is called.
    static let name = "hubsend.yaml"

    /// As a person would name it.
    let path: String
    /// Whether a flag or a variable named it, rather than where it lies: only then may it name commands to run.
    let isNamed: Bool
    /// The config must belong to one of these users, besides the rule for all configs; nil: that rule is enough.
    let owners: Set<UInt32>?

    /// Looks for the config.
    ///
    /// - Parameters:
    ///   - flags: the flags.
    ///   - campaigns: those of the call; without any, the search begins in the current folder.
    ///   - invocation: environment and current folder.
    /// - Returns: nil when there is none.
    /// - Throws: ``SettingFault/severalConfigs(_:)`` when the campaigns have different ones; `InputFileError` when it cannot be
    ///   looked for.
    static func find(
        _ flags: SettingFlags, for campaigns: [CampaignPlace], invocation: Invocation
    ) throws -> ConfigPlace? {
        if let path = flags.config ?? invocation["HUBSEND_CONFIG"] {
            return ConfigPlace(path: path, isNamed: true, owners: nil)
        }
        let current = Path.resolved(invocation.currentFolder)
        let starts = campaigns.isEmpty ? [current] : campaigns.map(\.folder)
        let found = try Set(starts.map { try nearest(from: $0) })
        guard found.count == 1 else {
            throw SettingFault.severalConfigs(found.map { $0.map { shown($0, from: current) } })
        }
        guard case let path?? = found.first else { return nil }
        return ConfigPlace(
            path: shown(path, from: current), isNamed: false,
            owners: try owners(of: path, above: starts))
    }

    /// The nearest config file in a folder or above it, up to the root of a repository or of the file system.
    ///
    /// - Parameter folder: absolute, without links.
    /// - Returns: its path, which was not read yet; nil when there is none.
    /// - Throws: `InputFileError` when the system does not say what is there.
    static func nearest(from folder: String) throws -> String? {
        var folder = folder
        while true {
            let path = Path.file(name, in: folder)
            if try isThere(path) { return path }
            let above = Path.folder(of: folder)
            if try above == folder || isThere(Path.file(".git", in: folder)) { return nil }
            folder = above
        }
    }

    /// A link counts, wherever it leads: passed over, it would leave the choice to another config.
    private static func isThere(_ path: String) throws -> Bool {
        do throws(SystemFault) {
            return try FileStatus.find(path, followingLinks: false) != nil
        } catch {
            if error.kind == .noFolder { return false }
            throw InputFileError.unreadable(path: path, reason: error.description)
        }
    }

    /// The users to one of whom a config must belong that is above the campaigns, or in a folder that everybody can write.
    ///
    /// In a folder that is everybody's, such as /tmp, anybody can put one above or beside other people's campaigns, and root
    /// trusts what any user owns: so it also has to belong to the owner of the campaigns' folder.
    private static func owners(
        of path: String, above folders: [String]
    ) throws -> Set<UInt32>? {
        let home = Path.folder(of: path)
        return try Set(folders).reduce(nil) { owners, folder in
            do throws(SystemFault) {
                let status = try FileStatus.find(folder)
                let isEverybodys = (status?.mode ?? 0) & 0o002 != 0
                guard folder != home || isEverybodys else { return owners }
                let own = Set([0, geteuid(), status?.owner].compactMap(\.self))
                return owners?.intersection(own) ?? own
            } catch {
                throw InputFileError.unreadable(path: folder, reason: error.description)
            }
        }
    }

    /// From the current folder where it is beneath that, else absolute.
    private static func shown(_ path: String, from current: String) -> String {
        Path.relative(path, to: current) ?? path
    }
}

/// Where a campaign file stands, however its path is spelled and wherever the caller is: what decides about its config and
/// its store.
struct CampaignPlace: Hashable, Sendable {
    /// As it was named.
    let path: String
    /// The folder that it was named in, without links, from which its config is looked for.
    ///
    /// Where the path itself is a link, what it leads to has no say in that: its writer would choose the config, and with
    /// it which files may be read.
    let folder: String
    /// The folder of the file itself, beside which its store is where nothing else says so; nil for standard input.
    let home: String?

    /// - Parameters:
    ///   - path: as it was named; `-` is standard input, whose paths are relative to the current folder.
    ///   - invocation: what it is relative to.
    init(_ path: String, _ invocation: Invocation) {
        self.path = path
        guard path != "-" else {
            folder = Path.resolved(invocation.currentFolder)
            home = nil
            return
        }
        let whole = invocation.absolute(path)
        let standing = Path.resolved(Path.folder(of: whole))
        let name = Path.name(of: path) ?? path
        folder = Self.lasting(Path.file(name, in: standing))
        home = Self.lasting(Path.resolved(whole))
    }

    /// The folder of a file, without the folders that only hold one state of it.
    ///
    /// Kubernetes keeps the files of a mounted volume in a folder such as `..2026_11_22`, another one with each change, and
    /// has links to them beside it. Their place is where it is mounted; otherwise each change would have another store.
    private static func lasting(_ path: String) -> String {
        let steps = Path.steps(of: path)
        let mounted =
            "/" + steps.filter { !$0.utf8.starts(with: "..".utf8) }.joined(separator: "/")
        let isMounted = mounted != path && Path.resolved(mounted) == Path.resolved(path)
        return Path.folder(of: isMounted ? mounted : path)
    }
}
