import YAMLSyntax

/// A mapping whose keys are known beforehand.
struct MappingReader {
    /// The keys that lead here, such as `audience.exclude`; empty for the file itself.
    let path: String
    /// The key that the mapping belongs to, for what is wrong with it as a whole.
    let keyRange: SourceRange
    private let entries: [String: YAMLMapping.Entry]

    /// Takes the mapping apart and reports keys that nobody knows.
    ///
    /// - Parameters:
    ///   - node: any node; one that is no mapping is reported.
    ///   - path: the keys that lead to it.
    ///   - keyRange: where its key stands.
    ///   - known: the keys that it may have.
    ///   - form: what a value of another shape would be as keys with values, for the message.
    ///   - findings: where faults go; there is one when there is nothing to read.
    init?(
        _ node: YAMLNode, path: String, keyRange: SourceRange, known: [String],
        form: (YAMLNode) -> DiagnosticMessage? = { _ in nil }, findings: inout Findings
    ) {
        guard
            let found = findings.mapping(node, path: path, keyRange: keyRange, form: form)
        else { return nil }
        self.path = path
        self.keyRange = keyRange
        var entries: [String: YAMLMapping.Entry] = [:]
        for entry in found {
            guard case .scalar(let key) = entry.key.content, !entry.key.isPlaceholder else {
                continue
            }
            guard known.contains(key.text) else {
                findings.unknownKey(key.text, at: entry.key.range, in: path, known: known)
                continue
            }
            if entries[key.text] == nil { entries[key.text] = entry }
        }
        self.entries = entries
    }

    /// The value of a key, nil where the file does not have it.
    subscript(key: String) -> YAMLNode? { entries[key]?.value }

    func has(_ key: String) -> Bool { entries[key] != nil }

    /// Where a key stands; the mapping's own key where it is missing.
    func range(ofKey key: String) -> SourceRange { entries[key]?.key.range ?? keyRange }

    /// A key as a message names it, such as `payload.file`.
    func name(of key: String) -> String { path.isEmpty ? key : path + "." + key }

    /// The mapping under a key.
    func mapping(
        _ key: String, known: [String], form: (YAMLNode) -> DiagnosticMessage? = { _ in nil },
        findings: inout Findings
    ) -> MappingReader? {
        self[key].flatMap {
            MappingReader(
                $0, path: name(of: key), keyRange: range(ofKey: key), known: known, form: form,
                findings: &findings)
        }
    }
}
