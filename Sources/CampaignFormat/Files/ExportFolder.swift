import Files

/// The folder of `export:`, outside the repository, so that the repository contains no personal
/// data.
package struct ExportFolder: Hashable, Sendable {
    static let prefix = "export:"

    /// Absolute.
    package let path: String
    /// Whether the folder was set by an option, an environment variable, or a config that one of
    /// these specifies.
    ///
    /// A config that hubsend found by itself may be part of a change under review.
    package let isChosen: Bool

    package init(path: String, isChosen: Bool) {
        self.path = path
        self.isChosen = isChosen
    }
}

/// Opens regular files below the export folder that nobody else can change.
struct ExportFiles: Sendable {
    /// A change to the repository must not make hubsend read other files.
    private static let extensions = [".csv", ".tsv", ".txt"]

    private let folder: SafeFolder
    private let isChosen: Bool
    /// The hidden part of the folder's own path, if there is one.
    private let hidden: String?

    init(_ exports: ExportFolder, refused: [String]) {
        folder = SafeFolder(root: exports.path, base: exports.path, refused: refused)
        isChosen = exports.isChosen
        hidden = Path.steps(of: Path.resolved(exports.path)).first(where: Path.isHidden)
    }

    func open(_ path: String) throws(FileReferenceError) -> OpenFile {
        if !isChosen {
            if let hidden { throw .hidden(component: hidden) }
            let name = path.lowercased()
            guard Self.extensions.contains(where: name.hasSuffix) else { throw .noExport }
        }
        let file = try folder.open(path)
        let reach: FileReach
        do {
            reach = try file.reach()
        } catch {
            throw .unreadable(error)
        }
        // Anyone who can change the file can decide who gets the push, without a review.
        if let objection = FileProtection.trusted.objection(to: reach) {
            throw .unprotected(objection)
        }
        return file
    }
}
