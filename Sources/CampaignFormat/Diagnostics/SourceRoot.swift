import Files

/// The folder that a report's paths are relative to: the repository's, so that a service finds the files there.
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

    /// A path from the folder; nil for a file outside of it.
    func path(of shown: String) -> String? {
        Path.relative(absolute(shown), to: folder)
    }

    /// A path from the root of the file system.
    func absolute(_ shown: String) -> String {
        Path.cleaned(Path.isAbsolute(shown) ? shown : Path.file(shown, in: currentFolder))
    }
}
