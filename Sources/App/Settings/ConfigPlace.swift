import CampaignCore
import CampaignFormat
import Files
import Glibc

/// Which config file is used.
struct ConfigPlace: Hashable {
    static let name = "hubsend.yaml"

    let path: String
    /// Whether a flag or a variable named it; only then may it name commands to run.
    let isNamed: Bool
    /// The config must belong to one of these users, if given, besides the rule for all configs.
    let owners: Set<UInt32>?

    /// - Parameter campaigns: without any, the search begins in the current folder.
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
            let files = found.map { $0.map { shown($0, from: current) } ?? "none" }.sorted()
            throw Refused(
                """
                These campaigns have different config files: \(files.joined(separator: ", ")). Run them one by one.
                """)
        }
        guard case let path?? = found.first else { return nil }
        return ConfigPlace(
            path: shown(path, from: current), isNamed: false,
            owners: try owners(of: path, above: starts))
    }

    /// The nearest config, unread, in an absolute folder without links or above it, up to the root
    /// of the repository or file system.
    static func nearest(from folder: String) throws -> String? {
        var folder = folder
        while true {
            let path = Path.file(name, in: folder)
            if try isThere(path) { return path }
            let misnamed = Path.file("hubsend.yml", in: folder)
            // Its exclusions must not be passed over in silence.
            if try isThere(misnamed) {
                throw Refused(
                    """
                    The file \(VisibleText.path(misnamed)) is not read, since a config is named hubsend.yaml. Rename it: \
                    mv \(ShellWord.quoted(misnamed)) \(ShellWord.quoted(path))
                    """)
            }
            let above = Path.folder(of: folder)
            if try above == folder || isThere(Path.file(".git", in: folder)) { return nil }
            folder = above
        }
    }

    /// A link counts wherever it leads; skipping it would leave the choice to another config.
    private static func isThere(_ path: String) throws -> Bool {
        do throws(SystemFault) {
            return try FileStatus.find(path, followingLinks: false) != nil
        } catch {
            if error.kind == .noFolder { return false }
            throw InputFileError.unreadable(path: path, reason: error.description)
        }
    }

    /// The owners allowed for a config above the campaigns, or in a folder open to all.
    ///
    /// In a folder such as /tmp, anybody can put a config near other people's campaigns, and root
    /// trusts files of any user. So the config must also belong to the owner of the campaigns'
    /// folder.
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

    /// Relative to the current folder if it is below it, else absolute.
    private static func shown(_ path: String, from current: String) -> String {
        Path.relative(path, to: current) ?? path
    }
}

/// A campaign file's place, however its path is spelled; it decides config and store.
struct CampaignPlace: Hashable, Sendable {
    let path: String
    /// The folder that it was named in, without links, where the search for its config begins.
    ///
    /// If the path is a link, its target must not matter: the target's writer would choose the
    /// config, and so which files may be read.
    let folder: String
    /// The file's own folder, where its store is by default; nil for standard input.
    let home: String?

    /// - Parameter path: `-` is standard input, whose paths are relative to the current folder.
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
    /// Kubernetes keeps files of a mounted volume in a folder such as `..2026_11_22`, a new one
    /// with each change, linked from the mount. Only the mount is a lasting place for the store.
    private static func lasting(_ path: String) -> String {
        let steps = Path.steps(of: path)
        let mounted =
            "/" + steps.filter { !$0.utf8.starts(with: "..".utf8) }.joined(separator: "/")
        let isMounted = mounted != path && Path.resolved(mounted) == Path.resolved(path)
        return Path.folder(of: isMounted ? mounted : path)
    }
}
