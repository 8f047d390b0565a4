import Files
import YAMLSyntax

/// Reads `hubsend.yaml`.
package enum ConfigFile {
    private static let largest = 1 << 20

    /// Reads a config file.
    ///
    /// - Parameters:
    ///   - path: the file; at most 1 MiB.
    ///   - isNamed: whether a flag or variable names it. Only then may it name a file or a command for the connection
    ///     string: a pull request must not choose what runs (contract, section 2).
    ///   - owners: the users of whom it has to be one's, beside the rule of `FileProtection`; nil: that rule is enough.
    /// - Returns: the config, or what is wrong with it; no diagnostic shows a secret.
    /// - Throws: ``InputFileError``, also when others than the owner can write it, or can read a secret in it.
    package static func read(
        _ path: String, isNamed: Bool, owners: Set<UInt32>? = nil
    ) throws(InputFileError) -> LoadedConfig {
        let input = try InputFile.read(path, limit: largest)
        if let owners, !input.isOwned(byOneOf: owners) { throw .ownedByAnother(path: path) }
        switch input.objection(to: .trusted) {
        case nil: break
        case .ownedByAnother: throw .ownedByAnother(path: path)
        default: throw .writableByOthers(path: path)
        }
        var decoder = ConfigDecoder(
            findings: Findings(input), folder: Path.folder(of: path), isNamed: isNamed)
        let root = decoder.findings.root(of: input, knownBy: .config)
        let config = root.flatMap { decoder.decode($0) }
        // Where the text is no YAML, the mere key tells.
        let mention = "connection_string"
        let holdsSecret =
            root == nil
            ? String(decoding: input.bytes, as: UTF8.self).contains(mention)
            : decoder.secret != nil
        if holdsSecret {
            switch input.objection(to: .secret) {
            case nil: break
            case .ownedByAnother: throw .ownedByAnother(path: path)
            default: throw .secretReadableByOthers(path: path)
            }
        }
        let diagnostics = decoder.findings.finished { _ in false }.map { diagnostic in
            let isSecret = decoder.secret.map {
                $0.start.line <= diagnostic.range.endLine && diagnostic.range.line <= $0.end.line
            }
            return isSecret ?? holdsSecret ? diagnostic.showing(nil) : diagnostic
        }
        return LoadedConfig(
            path: path, config: diagnostics.hasErrors ? nil : config, diagnostics: diagnostics,
            unsupportedKeys: decoder.unsupportedKeys)
    }
}
