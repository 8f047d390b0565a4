package import CampaignCore
import Files

package enum CampaignFile {
    /// Reads a campaign, its payload file, and the beginnings of its audience files.
    ///
    /// - Parameters:
    ///   - path: at most 16 MiB of YAML.
    ///   - scope: links must not lead out of it.
    ///   - searched: the folder in which a search found the file; links may also lead within it.
    /// - Returns: only the kind, if a search found the file and it is not a campaign.
    package static func read(
        _ path: String, scope: FileScope = FileScope(),
        terms: CampaignTerms = CampaignTerms(), searched: String? = nil
    ) throws(InputFileError) -> LoadedCampaign {
        let input: InputFile
        do throws(InputFileError) {
            input = try InputFile.read(path, within: [scope.root, searched].compactMap(\.self))
        } catch {
            guard case .missing = error else { throw error }
            throw .missing(path: path, near: NearbyCampaigns.paths(near: path))
        }
        return load(
            input, folder: Path.folder(of: path), scope: scope, terms: terms, own: [path],
            isFound: searched != nil)
    }

    /// - Parameter name: the file in an editor; paths are relative to its folder, or to the current
    ///   folder if nil.
    package static func read(
        standardInput bytes: [UInt8], scope: FileScope = FileScope(),
        terms: CampaignTerms = CampaignTerms(), named name: String? = nil
    ) -> LoadedCampaign {
        load(
            InputFile(path: name ?? "-", bytes: bytes), folder: name.map(Path.folder(of:)) ?? ".",
            scope: scope, terms: terms, own: [name].compactMap(\.self))
    }

    /// Reads at most 16 MiB.
    package static func kind(of path: String) throws(InputFileError) -> FileKind {
        let input = try InputFile.read(path)
        return Findings(input).document(of: input).map(FileKind.init) ?? .campaign
    }

    /// nil if the file does not set a time zone or cannot be read; other errors in the file are
    /// ignored.
    package static func zone(of path: String) -> TimeZoneRules? {
        do {
            let input = try InputFile.read(path)
            let root = Findings(input).document(of: input)?.root
            let name = root?.entry(at: "schedule", "time_zone")?.value.scalarText
            return try name.map(SystemTimeZones().rules)
        } catch {
            return nil
        }
    }

    private static func load(
        _ input: InputFile, folder: String, scope: FileScope, terms: CampaignTerms,
        own: [String], isFound: Bool = false
    ) -> LoadedCampaign {
        let findings = Findings(input)
        let document = findings.document(of: input)
        let kind = document.map(FileKind.init) ?? .campaign
        guard let root = root(of: document, kind, isFound: isFound, findings: findings) else {
            return LoadedCampaign(
                files: findings.files, kind: kind, diagnostics: findings.finished())
        }
        let files = SafeFolder(
            root: scope.root ?? folder, base: folder, refused: scope.refused + own)
        var scope = scope
        scope.refused += own
        return CampaignDecoder(
            findings: findings, files: files, scope: scope, folder: folder, terms: terms
        ).decode(root)
    }

    /// nil for a file that is not a campaign, which is only an error if the file was named
    /// explicitly.
    private static func root(
        of document: YAMLDocument?, _ kind: FileKind, isFound: Bool, findings: Findings
    ) -> YAMLNode? {
        guard let document, kind == .campaign || !isFound else { return nil }
        let tool = kind == .other ? FileKind.tool(of: document) : nil
        let place: DiagnosticMessage? =
            tool == nil
            ? kind.place(of: findings.file)
            : "Specify a campaign file, which contains a line such as \"campaign: spring-sale\"."
        guard let place else { return findings.root(of: document, knownBy: .campaign) }
        findings.error(
            .notACampaign, at: SourceRange(start: .start, end: .start),
            "This is \(tool ?? kind.description), not a campaign.", help: place)
        return nil
    }
}

/// The files that a campaign may use: exports, and files below one folder, with a few exceptions.
package struct FileScope: Hashable, Sendable {
    /// nil means the campaign file's own folder.
    package var root: String?
    /// The config, key files, store and reports, which no campaign may read.
    package var refused: [String]
    /// The folder of `export:…`; nil if it is not set.
    package var exports: ExportFolder?

    package init(root: String? = nil, refused: [String] = [], exports: ExportFolder? = nil) {
        self.root = root
        self.refused = refused
        self.exports = exports
    }
}
