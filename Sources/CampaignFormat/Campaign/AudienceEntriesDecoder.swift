struct AudienceEntry {
    let path: Located<String>
    var options = AudienceFileOptions()
    var maximumAge = ""
}

/// Reads a list of audience files: paths, or mappings with options.
struct AudienceEntriesDecoder {
    let reader: MappingReader
    /// No row of these files may be skipped.
    let isExclusion: Bool

    func decode() -> Items<AudienceEntry> {
        var seen: [String: SourceRange] = [:]
        return reader.elements("files") { node in
            guard let entry = entry(node) else { return nil }
            let path = entry.path
            guard let first = seen.updateValue(path.range, forKey: path.value) else { return entry }
            reader.findings.error(
                .duplicateValue, at: path.range,
                "The file \"\(audienceFile: path.value.shortened)\" appears twice.",
                related: ("It is first here.", first))
            return nil
        }
    }

    private func entry(_ node: YAMLNode) -> AudienceEntry? {
        guard case .mapping = node.content else {
            return reader.item(node, of: "files").map { AudienceEntry(path: $0.map(\.text)) }
        }
        guard let keys = reader.mapping(node, of: "files") else { return nil }
        let path = keys.text("path")?.map(\.text)
        let options = options(keys)
        guard let path else { return nil }
        return AudienceEntry(
            path: path, options: options, maximumAge: keys["max_age"]?.scalarText ?? "")
    }

    private func options(_ keys: MappingReader) -> AudienceFileOptions {
        var options = AudienceFileOptions()
        options.usernameColumn = keys.column("username_column")?.value
        options.maximumAge = keys.duration("max_age")?.value
        options.encoding = keys.choice("encoding")?.value ?? .utf8
        options.separator = keys.value("separator", CSVSeparator.parse)?.value
        if !isExclusion { options.badRows = keys.choice("on_bad_row")?.value ?? .refuse }
        return options
    }
}
