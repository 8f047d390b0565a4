import YAMLSyntax

/// What is wrong with keys as such.
extension Findings {
    /// Reports a key that a mapping does not know.
    mutating func unknownKey(
        _ key: String, at range: SourceRange, in path: String, known: [String]
    ) {
        let place = path.isEmpty ? "" : " in \"\(path)\""
        error(
            .unknownKey, at: range, "There is no key \"\(key.shortened)\"\(place).",
            help: Self.help(for: key, in: path, known: known))
    }

    private static func help(for key: String, in path: String, known: [String]) -> String {
        let elsewhere = CampaignKeys.sections(with: key).filter { $0 != path }
        guard NearestName.nearest(to: key, among: known) == nil, let section = elsewhere.first
        else { return NearestName.help(for: key, among: known) }
        return section.isEmpty
            ? "It belongs at the top of the file." : "It belongs under \"\(section)\"."
    }

    /// Reports keys that must be there.
    mutating func require(_ keys: [String], of reader: MappingReader, root: SourceRange) {
        for key in keys where !reader.has(key) {
            error(
                .missingKey, at: reader.path.isEmpty ? root : reader.keyRange,
                "The key \"\(reader.name(of: key))\" is missing.")
        }
    }
}
