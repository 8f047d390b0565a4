package import CampaignCore
import Files

package enum ConfigFile {
    private static let largest = 1 << 20

    /// Reads a config of at most 1 MiB; no finding shows a secret.
    ///
    /// - Parameters:
    ///   - isNamed: whether a flag or variable names the file. Only such a config may name a file
    ///     or a command for a secret, because a pull request must not choose what runs.
    ///   - owners: only a file of one of these users is read; nil means any user that
    ///     `FileProtection` allows.
    /// - Throws: also if others can write the file, or read a secret in it.
    package static func read(
        _ path: String, isNamed: Bool, owners: Set<UInt32>? = nil
    ) throws(InputFileError) -> LoadedConfig {
        let input = try InputFile.read(path, limit: largest, isProtected: true)
        if let owners, let owner = input.owner, !owners.contains(owner.number) {
            throw .unprotected(path: path, .ownedByAnother(owner, .owner))
        }
        if let problem = input.objection(to: .trusted) { throw .unprotected(path: path, problem) }
        let findings = Findings(input)
        var decoder = ConfigDecoder(
            findings: findings, folder: Path.folder(of: path), isNamed: isNamed)
        let root = findings.root(of: input, knownBy: .config)
        let config = root.flatMap { decoder.decode($0) }
        // In text that is not YAML, the key may be on any line.
        let mentions = [ConfigDecoder.connectionString, ConfigDecoder.heartbeat]
        let text = String(decoding: input.bytes, as: UTF8.self)
        let holdsSecret =
            root == nil ? mentions.contains(where: text.contains) : !decoder.secrets.isEmpty
        if holdsSecret, let problem = input.objection(to: .secret) {
            throw .unprotected(path: path, problem, holdsSecret: true)
        }
        let diagnostics = findings.finished().map { diagnostic in
            let isSecret = decoder.secrets.contains {
                $0.start.line <= diagnostic.range.endLine && diagnostic.range.line <= $0.end.line
            }
            let isUnknown = holdsSecret && decoder.secrets.isEmpty
            return isSecret || isUnknown ? diagnostic.showing(nil) : diagnostic
        }
        return LoadedConfig(
            path: path, config: diagnostics.hasErrors ? nil : config, diagnostics: diagnostics,
            ignores: root.map { IgnoreComments(in: findings.files, root: $0, showsLines: false) }
                ?? IgnoreComments(),
            outline: root.map { KeyOutline.of($0, sections: ["limits"]) } ?? [])
    }
}

package struct LoadedConfig: Sendable {
    package let path: String
    /// nil if the file has errors.
    package let config: Config?
    package let diagnostics: [Diagnostic]
    package let ignores: IgnoreComments
    /// The keys for a plan, without `defaults`, which are in each campaign's outline.
    package let outline: [KeyText]
}
