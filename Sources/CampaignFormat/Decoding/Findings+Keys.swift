import YAMLSyntax

/// What is wrong with keys as such.
extension Findings {
    /// Reports a key that a mapping does not know.
    mutating func unknownKey(
        _ key: String, at range: SourceRange, in path: String, known: [String]
    ) {
        let place = path.isEmpty ? "" : " in \"\(path)\""
        let elsewhere = CampaignKeys.sections(with: key).filter { $0 != path }
        let help =
            if NearestName.nearest(to: key, among: known) == nil, let section = elsewhere.first {
                section.isEmpty
                    ? "It belongs at the top of the file." : "It belongs under \"\(section)\"."
            } else {
                NearestName.help(for: key, among: known)
            }
        error(
            .unknownKey, at: range, "There is no key \"\(shortened(key))\"\(place).", help: help)
    }

    /// Reports keys that must be there.
    mutating func require(_ keys: [String], of reader: MappingReader, root: SourceRange) {
        for key in keys where !reader.has(key) {
            error(
                .missingKey, at: reader.path.isEmpty ? root : reader.keyRange,
                "The key \"\(reader.name(of: key))\" is missing.")
        }
    }

    private func shortened(_ text: String) -> String {
        text.count > 60 ? text.prefix(60) + "…" : text
    }
}
