import Files

/// The repository's folder, to which a service's paths are relative.
package struct SourceRoot: Sendable {
    private let folder: String
    private let currentFolder: String

    /// Both folders are absolute.
    package init(_ folder: String, seenFrom currentFolder: String) {
        self.folder = Path.cleaned(folder)
        self.currentFolder = currentFolder
    }

    /// The nearest folder with `.git` around the file, otherwise around the current folder.
    ///
    /// - Parameter workspace: a service's checkout, which may lack `.git`; used if it contains the
    /// current folder.
    package init(around file: String?, workspace: String?, seenFrom currentFolder: String) {
        let absolute = file.map { Path.isAbsolute($0) ? $0 : Path.file($0, in: currentFolder) }
        let start = absolute.map { Path.resolved(Path.folder(of: $0)) }
        let folder =
            start.flatMap(Self.repository) ?? Self.repository(around: currentFolder)
            ?? workspace.flatMap {
                $0 == currentFolder || Path.relative(currentFolder, to: $0) != nil ? $0 : nil
            }
        self.init(folder ?? currentFolder, seenFrom: currentFolder)
    }

    private static func repository(around folder: String) -> String? {
        var folder = Path.cleaned(folder)
        while !isThere(Path.file(".git", in: folder)) {
            let above = Path.folder(of: folder)
            guard above != folder else { return nil }
            folder = above
        }
        return folder
    }

    /// A folder that cannot be read is not treated as the caller's repository.
    private static func isThere(_ path: String) -> Bool {
        do {
            return try FileStatus.find(path, followingLinks: false) != nil
        } catch {
            return false
        }
    }

    package func placed(_ findings: [Diagnostic]) -> [Diagnostic] {
        findings.flatMap { $0.placed(in: self) }.sorted()
    }

    func contains(_ shown: String) -> Bool { path(of: shown) != nil }

    /// A file outside the repository is reduced to its name, which reveals nothing about the
    /// machine.
    package func name(of shown: String) -> String {
        path(of: shown) ?? Path.name(of: shown) ?? shown
    }

    private func path(of shown: String) -> String? {
        // The file may be standard input.
        guard shown != "-" else { return shown }
        let absolute = Path.isAbsolute(shown) ? shown : Path.file(shown, in: currentFolder)
        return Path.relative(Path.cleaned(absolute), to: folder)
            // The folder may have been specified through a link.
            ?? Path.relative(Path.resolved(absolute), to: folder)
    }
}
