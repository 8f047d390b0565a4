import CampaignCore
import CampaignFormat
import Files
import Glibc

/// The config file to use.
struct ConfigLocation: Hashable {
    static let name = "hubsend.yaml"

    let path: String
    /// Whether a flag or a variable named the file; only then may it name commands to run.
    let isNamed: Bool
    /// The allowed owners of the file, in addition to the rules for every config.
    let owners: Set<UInt32>?

    /// - Parameter campaigns: the campaign files; without them, the search starts in the current
    ///   folder.
    static func find(
        _ flags: SettingFlags, for campaigns: [CampaignLocation], invocation: Invocation
    ) throws -> ConfigLocation? {
        if let path = flags.config ?? invocation["HUBSEND_CONFIG"] {
            return ConfigLocation(path: path, isNamed: true, owners: nil)
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
        return ConfigLocation(
            path: shown(path, from: current), isNamed: false,
            owners: try owners(of: path, above: starts))
    }

    /// The nearest config in a folder or above it, up to the root of the repository or file system.
    ///
    /// The folder must be absolute and without links. The file is not read.
    static func nearest(from folder: String) throws -> String? {
        var folder = folder
        while true {
            let path = Path.file(name, in: folder)
            if try isThere(path) { return path }
            let misnamed = Path.file("hubsend.yml", in: folder)
            // If the file were ignored silently, its exclusions would be ignored too.
            if try isThere(misnamed) {
                throw Refused(
                    """
                    The file \(VisibleText.path(misnamed)) is not read, because a config must be named hubsend.yaml. Rename it: \
                    mv \(ShellWord.quoted(misnamed)) \(ShellWord.quoted(path))
                    """)
            }
            let above = Path.folder(of: folder)
            if try above == folder || isThere(Path.file(".git", in: folder)) { return nil }
            folder = above
        }
    }

    /// Even a broken link is treated as a config, because skipping it would select another config.
    private static func isThere(_ path: String) throws -> Bool {
        do throws(SystemError) {
            return try FileStatus.find(path, followingLinks: false) != nil
        } catch {
            if error.kind == .noFolder { return false }
            throw InputFileError.unreadable(path: path, reason: error.description)
        }
    }

    /// The allowed owners of a config above the campaigns, or in a folder that everybody can write.
    ///
    /// In a folder such as /tmp, anybody can put a config above other people's campaigns, and root
    /// trusts files of any user. The config must therefore belong to the owner of the campaigns'
    /// folder, to root or to the current user.
    private static func owners(
        of path: String, above folders: [String]
    ) throws -> Set<UInt32>? {
        let home = Path.folder(of: path)
        return try Set(folders).reduce(nil) { owners, folder in
            do throws(SystemError) {
                let status = try FileStatus.find(folder)
                let isWritableByAll = (status?.mode ?? 0) & 0o002 != 0
                guard folder != home || isWritableByAll else { return owners }
                let own = Set([0, geteuid(), status?.owner].compactMap(\.self))
                return owners?.intersection(own) ?? own
            } catch {
                throw InputFileError.unreadable(path: folder, reason: error.description)
            }
        }
    }

    /// The path, which is relative if it is below the current folder, and otherwise absolute.
    private static func shown(_ path: String, from current: String) -> String {
        Path.relative(path, to: current) ?? path
    }
}

/// The location of a campaign file, which determines its config and store.
struct CampaignLocation: Hashable, Sendable {
    let path: String
    /// The folder of the path, without links, in which the search for the config starts.
    ///
    /// The target of a link is ignored, because anyone who can change the link could choose the
    /// config, and thereby the files that may be read.
    let folder: String
    /// The folder of the file itself, where the store is by default; nil for standard input.
    let home: String?

    /// - Parameter path: `-` for standard input, whose paths are relative to the current folder.
    init(_ path: String, _ invocation: Invocation) {
        self.path = path
        guard path != "-" else {
            folder = Path.resolved(invocation.currentFolder)
            home = nil
            return
        }
        let whole = invocation.absolute(path)
        let ownFolder = Path.resolved(Path.folder(of: whole))
        let name = Path.name(of: path) ?? path
        folder = Self.permanentFolder(of: Path.file(name, in: ownFolder))
        home = Self.permanentFolder(of: Path.resolved(whole))
    }

    /// The folder of a file, without folders that exist only for one version of it.
    ///
    /// Kubernetes stores the files of a mounted volume in a folder such as `..2026_11_22`, creates
    /// a new folder for each change, and links to it from the mount point. Only the mount point is
    /// permanent.
    private static func permanentFolder(of path: String) -> String {
        let steps = Path.steps(of: path)
        let mounted =
            "/" + steps.filter { !$0.utf8.starts(with: "..".utf8) }.joined(separator: "/")
        let isMounted = mounted != path && Path.resolved(mounted) == Path.resolved(path)
        return Path.folder(of: isMounted ? mounted : path)
    }
}
