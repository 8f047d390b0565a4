import Files

/// The folder of the repository, to which the paths in a report for a service are relative.
package struct SourceRoot: Sendable {
    private let folder: String
    private let currentFolder: String

    /// - Parameters:
    ///   - folder: the repository's, absolute.
    ///   - currentFolder: what the paths of diagnostics are relative to, absolute.
    package init(_ folder: String, seenFrom currentFolder: String) {
        self.folder = Path.cleaned(folder)
        self.currentFolder = currentFolder
    }

    /// Looks for the repository of a file, and else for that of the current folder: the nearest folder with `.git`.
    ///
    /// - Parameters:
    ///   - file: as the caller named it; nil: only the current folder counts.
    ///   - workspace: the folder into which a service has put the repository, perhaps without `.git`; it counts if the current
    ///     folder is in it.
    ///   - currentFolder: absolute.
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

    /// Whether a path exists; a folder that cannot be looked into is not the caller's repository.
    private static func isThere(_ path: String) -> Bool {
        do {
            return try FileStatus.find(path, followingLinks: false) != nil
        } catch {
            return false
        }
    }

    /// Findings as a service sees them, in order.
    package func placed(_ findings: [Diagnostic]) -> [Diagnostic] {
        findings.flatMap { $0.placed(in: self) }.sorted()
    }

    /// Whether a file lies in the repository.
    func contains(_ shown: String) -> Bool { path(of: shown) != nil }

    /// The path from the repository's folder; for a file outside it, the name alone, which tells nothing of the machine.
    package func name(of shown: String) -> String {
        path(of: shown) ?? Path.name(of: shown) ?? shown
    }

    private func path(of shown: String) -> String? {
        // Standard input.
        guard shown != "-" else { return shown }
        let absolute = Path.isAbsolute(shown) ? shown : Path.file(shown, in: currentFolder)
        return Path.relative(Path.cleaned(absolute), to: folder)
            // The folder itself may have been named through a link.
            ?? Path.relative(Path.resolved(absolute), to: folder)
    }
}
