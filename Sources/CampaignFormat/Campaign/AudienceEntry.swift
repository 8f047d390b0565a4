/// An audience file as a campaign specifies it: a path, or a mapping with options.
struct AudienceEntry {
    let path: Located<String>
    var options = AudienceFileOptions()
}

extension MappingReader {
    /// The key `files` of an audience or an exclusion.
    func audienceFiles() -> Items<AudienceEntry> {
        var seen: [String: SourceRange] = [:]
        return elements("files") { node in
            guard let entry = audienceEntry(node) else { return nil }
            let path = entry.path
            guard let first = seen.updateValue(path.range, forKey: path.value) else { return entry }
            findings.error(
                .duplicateValue, at: path.range,
                "The file \"\(audienceFile: path.value.shortened)\" appears twice.",
                related: ("It first appears here.", first))
            return nil
        }
    }

    private func audienceEntry(_ node: YAMLNode) -> AudienceEntry? {
        guard case .mapping = node.content else {
            return item(node, of: "files").map { AudienceEntry(path: $0.map(\.text)) }
        }
        guard let keys = mapping(node, of: "files") else { return nil }
        let path = keys.text("path")?.map(\.text)
        let options = keys.read(AudienceFileOptions.fields, into: AudienceFileOptions())
        guard let path, let options else { return nil }
        return AudienceEntry(path: path, options: options)
    }
}
