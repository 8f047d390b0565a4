package import CampaignCore
import Files
import YAMLSyntax

/// Reads campaign files.
package enum CampaignFile {
    /// Reads a campaign file, the payload file that it names, and the beginnings of its audience files.
    ///
    /// - Parameters:
    ///   - path: the file; at most 16 MiB of YAML.
    ///   - scope: which files it may name; where the campaign is a link, it must not lead out of them either.
    ///   - terms: what the config says about all campaigns.
    ///   - searched: the folder in which a search found it, within which a link may lead too.
    /// - Returns: the campaign, or what is wrong with it; of a file that a search found and that is not a campaign, only its kind.
    /// - Throws: ``InputFileError`` when there is no file to read.
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

    /// Reads a campaign from standard input.
    ///
    /// - Parameters:
    ///   - bytes: the file's content.
    ///   - scope: which files it may name.
    ///   - terms: what the config says about all campaigns.
    ///   - name: the file that it is the text of, as an editor has it: paths are relative to its folder; nil: to the current
    ///     folder.
    /// - Returns: the campaign, or what is wrong with it; its path is the name, or `-`.
    package static func read(
        standardInput bytes: [UInt8], scope: FileScope = FileScope(),
        terms: CampaignTerms = CampaignTerms(), named name: String? = nil
    ) -> LoadedCampaign {
        load(
            InputFile(path: name ?? "-", bytes: bytes), folder: name.map(Path.folder(of:)) ?? ".",
            scope: scope, terms: terms, own: [name].compactMap(\.self))
    }

    /// What a file is.
    ///
    /// - Parameter path: the file; at most 16 MiB.
    /// - Throws: ``InputFileError`` when there is no file to read.
    package static func kind(of path: String) throws(InputFileError) -> FileKind {
        let input = try InputFile.read(path)
        return Findings(input).document(of: input).map(FileKind.init) ?? .campaign
    }

    /// The time zone of a campaign's schedule; nil when the file names none, or cannot be read.
    ///
    /// - Parameter path: the file; it need not be a campaign without faults.
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

    /// The value to decode; nil for a file that is not a campaign.
    ///
    /// That is a fault only when somebody named the file.
    private static func root(
        of document: YAMLDocument?, _ kind: FileKind, isFound: Bool, findings: Findings
    ) -> YAMLNode? {
        guard let document, kind == .campaign || !isFound else { return nil }
        let tool = kind == .other ? FileKind.tool(of: document) : nil
        let place: DiagnosticMessage? =
            tool == nil
            ? kind.place(of: findings.file)
            : "Name a campaign; it has a line such as \"campaign: spring-sale\"."
        guard let place else { return findings.root(of: document, knownBy: .campaign) }
        findings.error(
            .notACampaign, at: SourceRange(start: .start, end: .start),
            "This is \(tool ?? kind.description), not a campaign.", help: place)
        return nil
    }
}

/// Which files a campaign may name: those beneath one folder, except a few, and exports.
package struct FileScope: Hashable, Sendable {
    /// The folder, as a rule the config's; nil: the campaign file's own.
    package var root: String?
    /// Files and folders that no campaign may read though they lie beneath: the config, key files, store, reports.
    package var refused: [String]
    /// Where audience files lie that are named as `export:…`; nil: nothing says it.
    package var exports: ExportFolder?

    package init(root: String? = nil, refused: [String] = [], exports: ExportFolder? = nil) {
        self.root = root
        self.refused = refused
        self.exports = exports
    }
}
