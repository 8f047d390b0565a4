import Files

/// Opens audience files: those beneath the folder of the campaigns, and exports.
struct AudienceFolders: Sendable {
    private let files: SafeFolder
    private let exports: ExportFiles?

    /// - Parameters:
    ///   - files: where the files of campaigns lie.
    ///   - exports: where `export:` leads; nil where no file is one, or nothing says it.
    init(files: SafeFolder, exports: ExportFiles? = nil) {
        self.files = files
        self.exports = exports
    }

    /// Opens a file.
    ///
    /// - Throws: ``FileReferenceFault``; for an export while nothing says where they are, it is missing.
    func open(_ file: AudienceFile) throws(FileReferenceFault) -> OpenFile {
        guard let path = file.exportPath else { return try files.open(file.path) }
        guard let exports else { throw .missing }
        return try exports.open(path)
    }
}
