import Files
import YAMLSyntax

/// Reads campaign files.
package enum CampaignFile {
    /// Reads a campaign file, the payload file that it names, and the beginnings of its audience files.
    ///
    /// - Parameters:
    ///   - path: the file; at most 16 MiB of YAML.
    ///   - scope: which files it may name; where the campaign is a link, it must not lead out of them either.
    ///   - searched: the folder in which a search found it, within which a link may lead too.
    /// - Returns: the campaign, or what is wrong with it.
    /// - Throws: ``InputFileError`` when there is no file to read.
    package static func read(
        _ path: String, scope: FileScope = FileScope(), searched: String? = nil
    ) throws(InputFileError) -> LoadedCampaign {
        let input = try InputFile.read(
            path, within: [scope.root, searched].compactMap(\.self))
        return load(input, folder: Path.folder(of: path), scope: scope, own: [path])
    }

    /// Reads a campaign from standard input; its paths are relative to the current folder.
    ///
    /// - Parameters:
    ///   - bytes: the file's content.
    ///   - scope: which files it may name.
    /// - Returns: the campaign, or what is wrong with it; its path is `-`.
    package static func read(
        standardInput bytes: [UInt8], scope: FileScope = FileScope()
    ) -> LoadedCampaign {
        load(InputFile(path: "-", bytes: bytes), folder: ".", scope: scope, own: [])
    }

    private static func load(
        _ input: InputFile, folder: String, scope: FileScope, own: [String]
    ) -> LoadedCampaign {
        let files = SafeFolder(
            root: scope.root ?? folder, base: folder, refused: scope.refused + own)
        var findings = Findings(input)
        guard let root = findings.root(of: input, knownBy: .campaign) else {
            return LoadedCampaign(
                path: input.path, source: findings.source,
                diagnostics: findings.finished(isPersonal: { _ in true }))
        }
        var decoder = CampaignDecoder(findings: findings, files: files, folder: folder)
        return decoder.decode(root)
    }
}
