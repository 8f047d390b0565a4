import YAMLSyntax

struct AudienceEntry {
    let path: Located<String>
    var options = AudienceFileOptions()
    var maximumAge = ""
}

/// Reads a list of audience files: paths, or mappings with options.
struct AudienceEntriesDecoder {
    private let reader: MappingReader
    private let isExclusion: Bool
    private var findings: Findings { reader.findings }

    /// - Parameter isExclusion: no row of these files may be skipped.
    init(_ reader: MappingReader, isExclusion: Bool) {
        self.reader = reader
        self.isExclusion = isExclusion
    }

    func decode() -> [AudienceEntry] {
        guard let list = reader.list("files", form: RightForm.files) else { return [] }
        var seen: [String: SourceRange] = [:]
        return list.value.compactMap { node in
            guard let entry = entry(node) else { return nil }
            let path = entry.path
            if let first = seen.updateValue(path.range, forKey: path.value) {
                findings.error(
                    .duplicateValue, at: path.range,
                    "The file \"\(audienceFile: path.value.shortened)\" appears twice.",
                    related: ("It is first here.", first))
                return nil
            }
            return entry
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
            path: path, options: options, maximumAge: keys.text("max_age")?.value.text ?? "")
    }

    private func options(_ keys: MappingReader) -> AudienceFileOptions {
        var options = AudienceFileOptions()
        options.usernameColumn = keys.column("username_column")?.value
        options.maximumAge = keys.duration("max_age")?.value
        options.encoding = keys.choice("encoding", as: TextEncoding.self)?.value ?? .utf8
        options.separator = keys.value("separator", CSVSeparator.parse)?.value
        if !isExclusion {
            options.badRows =
                keys.choice("on_bad_row", as: AudienceFileOptions.BadRows.self)?.value ?? .refuse
        }
        return options
    }
}
