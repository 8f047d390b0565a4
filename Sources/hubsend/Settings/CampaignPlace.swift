import Files

/// Where a campaign file stands, however its path is spelled and wherever the caller is: what decides about its config and
/// its store.
struct CampaignPlace: Hashable {
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
        let name = path.split(separator: "/").last.map(String.init) ?? path
        folder = Self.lasting(Path.file(name, in: standing))
        home = Self.lasting(Path.resolved(whole))
    }

    /// The folder of a file, less the folders that only hold one state of it.
    ///
    /// Kubernetes keeps the files of a mounted volume in a folder such as `..2026_11_22`, another one with each change, and
    /// has links to them beside it. Their place is where it is mounted; otherwise each change would have another store.
    private static func lasting(_ path: String) -> String {
        let steps = path.split(separator: "/")
        let mounted = "/" + steps.filter { !$0.hasPrefix("..") }.joined(separator: "/")
        let isMounted = mounted != path && Path.resolved(mounted) == Path.resolved(path)
        return Path.folder(of: isMounted ? mounted : path)
    }
}
