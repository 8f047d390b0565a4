import Files

/// The folder for which `export:` stands in the paths of audience files: outside of the repository, so that personal data need
/// not be in it.
package struct ExportFolder: Hashable, Sendable {
    /// What the paths of its files begin with in a campaign.
    static let prefix = "export:"

    /// Absolute.
    package let path: String
    /// Whether the person who calls chose it, by an option, a variable, or a config that one of these names.
    ///
    /// A config that was found beside the campaigns may be part of what somebody asks to be reviewed.
    package let isChosen: Bool

    package init(path: String, isChosen: Bool) {
        self.path = path
        self.isChosen = isChosen
    }
}

/// Opens the files of an export folder: regular files beneath it that nobody else can change.
struct ExportFiles: Sendable {
    /// What exports are called, where a change to the repository must not have other files read.
    private static let extensions = [".csv", ".tsv", ".txt"]

    private let folder: SafeFolder
    private let isChosen: Bool
    /// A part of the folder's own path that is hidden.
    private let hidden: String?

    /// - Parameters:
    ///   - exports: the folder.
    ///   - refused: files and folders that are not opened though they lie beneath it.
    init(_ exports: ExportFolder, refused: [String]) {
        folder = SafeFolder(root: exports.path, base: exports.path, refused: refused)
        isChosen = exports.isChosen
        hidden = Path.steps(of: Path.resolved(exports.path)).first(where: Path.isHidden)
    }

    /// Opens a file.
    ///
    /// - Parameter path: relative to the folder.
    /// - Returns: the file at its beginning.
    func open(_ path: String) throws(FileReferenceFault) -> OpenFile {
        if !isChosen {
            if let hidden { throw .hidden(component: hidden) }
            let name = path.lowercased()
            guard Self.extensions.contains(where: name.hasSuffix) else { throw .noExport }
        }
        let file = try folder.open(path)
        let status: FileStatus
        do {
            status = try file.status()
        } catch {
            throw .unreadable(error)
        }
        // Who can change it decides who is sent to, and no review sees that.
        if let objection = FileProtection.trusted.objection(to: status) {
            throw .unprotected(objection)
        }
        return file
    }
}
