import Files

/// Opens files only below a folder, even if somebody renames or links files in the meantime.
///
/// Each component is opened in the folder before it. Links are read but never followed by the
/// system, so a path cannot lead out of the folder between check and use. Links within the folder
/// work.
struct SafeFolder: Sendable {
    private static let longestPath = 1_024
    private static let deepest = 64
    private static let mostLinks = 16
    /// How many folders are searched for a similar name.
    private static let mostFolders = 100
    /// How many times opening a file is tried while a volume's content is being replaced.
    private static let mostTries = 100

    /// The root or the reason why it cannot be opened, which is only reported if a campaign uses a
    /// file.
    private let root: Result<OpenFile, FileReferenceError>
    /// The path from the root to the base, which may be hidden because the caller chose it.
    private let prefix: [String]
    private let refused: Set<FileIdentity>
    private let base: String

    /// If the base is not below the root, no path can be opened.
    init(root: String, base: String, refused: [String]) {
        self.base = base
        self.refused = Set(
            refused.compactMap { path in
                // If a path cannot be inspected, a campaign cannot read it either.
                do { return try FileStatus(of: path).identity } catch { return nil }
            })
        do throws(SystemError) {
            let opened = try OpenFile(root, for: .reading)
            let (outer, inner) = (try Self.resolved(root), try Self.resolved(base))
            prefix = Array(inner.dropFirst(outer.count))
            self.root = inner.starts(with: outer) ? .success(opened) : .failure(.outside)
        } catch {
            prefix = []
            self.root = .failure(.unreadable(error))
        }
    }

    /// The path is relative to the base.
    func open(_ path: String) throws(FileReferenceError) -> OpenFile {
        do throws(FileReferenceError) {
            for _ in 1..<Self.mostTries {
                var isInVolume = false
                do throws(FileReferenceError) {
                    return try opened(path, isInVolume: &isInVolume)
                } catch .missing where isInVolume {
                    // Kubernetes removed the folder after the link was read and before the file was
                    // opened.
                    continue
                }
            }
            throw .missing()
        } catch .missing {
            guard !path.utf8.allSatisfy({ $0 < 0x80 }),
                let other = Folder.otherUnicodeForm(of: Path.file(path, in: base))
            else { throw .missing(near: near(path)) }
            throw .otherForm(other: Path.relative(other, to: base) ?? other)
        }
    }

    /// A file with this name in a nearby folder or, if there is none, a file with a similar name.
    private func near(_ path: String) -> String? {
        guard let name = Path.name(of: path) else { return nil }
        let own = Path.folder(of: path)
        let tops = prefix.isEmpty ? ["."] : [".", ".."]
        let folders =
            [own] + tops
            + tops.flatMap { top in
                entries(of: top).filter(\.isFolder).map { Path.file($0.name, in: top) }.sorted()
            }.prefix(Self.mostFolders)
        let files = folders.flatMap { folder in
            entries(of: folder).filter { !$0.isFolder }.map(\.name).sorted().map {
                (path: Path.file($0, in: folder), name: $0)
            }
        }
        let near = NearestName.nearest(to: name, among: files.map(\.name))
        let found =
            files.first { $0.name.lowercased() == name.lowercased() }
            ?? files.first { $0.name == near }
        // Suggest only a file that a campaign may use.
        var isInVolume = false
        return found.flatMap {
            (try? opened($0.path, isInVolume: &isInVolume)) == nil ? nil : $0.path
        }
    }

    private func entries(of folder: String) -> [Folder.Entry] {
        (try? Folder.entries(in: Path.file(folder, in: base))) ?? []
    }

    private func opened(
        _ path: String, isInVolume: inout Bool
    ) throws(FileReferenceError) -> OpenFile {
        guard !path.isEmpty else { throw .emptyPath }
        guard path.utf8.count <= Self.longestPath else { throw .tooDeep }
        guard !path.contains("://") else { throw .address }
        guard path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .badCharacter }
        var walk = try PathWalk(prefix: prefix, path: path)
        var folders = [try root.get()]
        var links = 0
        while let step = walk.next() {
            if step.name == ".." {
                folders.removeLast()
                guard !folders.isEmpty else { throw .outside }
                continue
            }
            isInVolume = isInVolume || step.origin == .link && step.isVolumeState
            guard step.mayBeHidden || !Path.isHidden(step.name) else {
                throw .hidden(component: step.name)
            }
            let folder = folders[folders.count - 1]
            guard let file = try Self.file(step.name, in: folder) else {
                links += 1
                guard links <= Self.mostLinks else { throw .tooDeep }
                try walk.follow(link: Self.target(ofLink: step.name, in: folder))
                continue
            }
            let status = try Self.status(of: file)
            guard !refused.contains(status.identity) else { throw .refused }
            guard status.kind == .folder else {
                guard walk.isAtEnd else { throw .missing() }
                guard status.kind == .regular else { throw .notRegular }
                return file
            }
            folders.append(file)
            guard folders.count <= Self.deepest else { throw .tooDeep }
        }
        throw .folder
    }

    func path(fromRoot path: String) -> String {
        String(repeating: "../", count: prefix.count) + path
    }

    func contents(of path: String, limit: Int) throws(FileReferenceError) -> [UInt8] {
        let file = try open(path)
        let bytes: [UInt8]?
        do {
            bytes = try file.contents(limit: limit)
        } catch {
            throw FileReferenceError(error)
        }
        guard let bytes else { throw .tooLarge(limit: limit) }
        return bytes
    }

    /// Opens a component; nil if it is a link.
    private static func file(
        _ component: String, in folder: OpenFile
    ) throws(FileReferenceError) -> OpenFile? {
        do {
            return try OpenFile(component: component, in: folder, for: .reading)
        } catch {
            guard error.kind == .link else { throw FileReferenceError(error) }
            return nil
        }
    }

    private static func target(
        ofLink component: String, in folder: OpenFile
    ) throws(FileReferenceError) -> String {
        do {
            return try folder.target(ofLink: component)
        } catch {
            throw FileReferenceError(error)
        }
    }

    private static func status(of file: OpenFile) throws(FileReferenceError) -> FileStatus {
        do {
            return try file.status()
        } catch {
            throw FileReferenceError(error)
        }
    }

    private static func resolved(_ path: String) throws(SystemError) -> [String] {
        Path.steps(of: try Path.real(path))
    }
}

/// The remaining components; a link is replaced with the components of its target.
private struct PathWalk {
    struct Step {
        enum Origin { case caller, file, link }

        let name: String
        let origin: Origin

        /// Whether the folder is the content of a Kubernetes volume, as in `people.csv ->
        /// ..data/people.csv` and `..data -> ..2026_11_28`.
        var isVolumeState: Bool { name.utf8.starts(with: "..".utf8) }

        var mayBeHidden: Bool {
            switch origin {
            case .caller: true
            case .file: false
            case .link: isVolumeState
            }
        }
    }

    private var pending: [Step]

    /// The path comes from a file, so it is checked; the prefix is not, because the caller chose
    /// it.
    init(prefix: [String], path: String) throws(FileReferenceError) {
        pending = []
        guard !Path.isAbsolute(path) else { throw .absolute }
        push(path, from: .file)
        pending += prefix.reversed().map { Step(name: $0, origin: .caller) }
    }

    var isAtEnd: Bool { pending.isEmpty }

    mutating func next() -> Step? { pending.popLast() }

    /// Continues with the link's target; refuses an absolute path, which could lead out of the
    /// root.
    mutating func follow(link target: String) throws(FileReferenceError) {
        guard !Path.isAbsolute(target) else { throw .outside }
        push(target, from: .link)
    }

    private mutating func push(_ path: String, from origin: Step.Origin) {
        let steps = Path.steps(of: path).filter { $0 != "." }
        pending += steps.reversed().map { Step(name: $0, origin: origin) }
    }
}
