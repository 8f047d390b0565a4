import CampaignCore
import Files
import YAMLSyntax

/// The config's `defaults`, which stand in for keys that a campaign does not have.
///
/// The campaign's own value wins, mappings are joined, and lists are replaced; `audience.exclude`
/// is always added. `audience`, `payload` and `schedule` only extend a campaign's own section, but
/// quiet hours hold for every campaign.
package struct CampaignDefaults: Sendable {
    private static let filesOutside = "export:"

    let file: String
    /// Without its secrets.
    let source: SourceText
    let people: [SourceRange]
    private let node: YAMLNode

    init(_ node: YAMLNode, of config: SourceFiles, secrets: [SourceRange]) {
        self.node = node
        file = config.file
        people = config.people
        let source = config.text
        guard !secrets.isEmpty else {
            self.source = source
            return
        }
        var bytes = source.bytes
        for secret in secrets {
            for index in bytes.indices[secret.start.offset..<min(secret.end.offset, bytes.count)]
            where !"\r\n".utf8.contains(bytes[index]) {
                bytes[index] = UInt8(ascii: "*")
            }
        }
        self.source = SourceText(bytes)
    }

    /// Paths of the config start from the root of `files`; `place` maps its places to joined ones.
    func joined(
        to root: YAMLNode, files: SafeFolder, place: (SourceRange) -> SourceRange
    ) -> YAMLNode {
        let kind = root.entry(at: "kind").flatMap {
            CampaignKind(rawValue: $0.value.scalarText ?? "")
        }
        let shared = node.mapped { node in
            YAMLNode(node.content, range: place(node.range), isPlaceholder: node.isPlaceholder)
        }
        // Without a schedule, people start a campaign, and quiet hours still hold.
        let hasTurns =
            shared.entry(at: "schedule", "quiet_hours") != nil
            || [shared, root].contains { $0.entry(at: "delivery", "local_time") != nil }
        return Self.join(shared, to: root) { path, entry in
            switch path.joined(separator: ".") {
            case "audience", "payload": nil
            case "schedule": hasTurns ? entry : nil
            case "audience.exclude":
                YAMLNode.Entry(key: entry.key, value: Self.exclusion(entry.value, in: files))
            default: Self.fits(path, kind) ? Self.fitted(entry, at: path, kind) : nil
            }
        }
    }

    /// If the kind is not known, all do.
    private static func fits(_ path: [String], _ kind: CampaignKind?) -> Bool {
        guard let kind, path.count == 2 else { return true }
        return MappingShape.campaign[path[0]]?.value.keyed?[path[1]]?.kinds.contains(kind) != false
    }

    /// Without keys that campaigns of the kind do not have.
    private static func fitted(
        _ entry: YAMLNode.Entry, at path: [String], _ kind: CampaignKind?
    ) -> YAMLNode.Entry {
        guard case .mapping(let entries) = entry.value.content else { return entry }
        let left = entries.filter { inner in
            inner.key.scalarText.map { fits(path + [$0], kind) } ?? true
        }
        return YAMLNode.Entry(
            key: entry.key,
            value: YAMLNode(
                .mapping(left), range: entry.value.range,
                isPlaceholder: entry.value.isPlaceholder))
    }

    /// - Parameter takenOver: for entries that the campaign lacks, or that add; nil: left out.
    private static func join(
        _ shared: YAMLNode, to own: YAMLNode, at path: [String] = [],
        _ takenOver: ([String], YAMLNode.Entry) -> YAMLNode.Entry?
    ) -> YAMLNode {
        guard case .mapping(let additions) = shared.content,
            case .mapping(var entries) = own.content
        else { return own }
        for addition in additions {
            guard let key = addition.key.scalarText else { continue }
            let path = path + [key]
            let index = entries.firstIndex { $0.key.scalarText == key }
            if let index, path != ["audience", "exclude"] {
                let value = join(addition.value, to: entries[index].value, at: path, takenOver)
                entries[index] = YAMLNode.Entry(key: entries[index].key, value: value)
            } else if let entry = takenOver(path, addition) {
                entries.append(entry)
            }
        }
        return YAMLNode(.mapping(entries), range: own.range, isPlaceholder: own.isPlaceholder)
    }

    /// Turns paths from the config's folder into paths from the campaign's.
    private static func exclusion(_ node: YAMLNode, in files: SafeFolder) -> YAMLNode {
        guard case .mapping(let entries) = node.content else { return node }
        func moved(_ node: YAMLNode) -> YAMLNode {
            guard case .scalar(let scalar) = node.content, !Path.isAbsolute(scalar.text),
                !scalar.text.hasPrefix(filesOutside)
            else { return node }
            let path = files.path(fromRoot: scalar.text)
            return YAMLNode(
                .scalar(YAMLScalar(text: path, style: scalar.style)), range: node.range)
        }
        func file(_ node: YAMLNode) -> YAMLNode {
            guard case .mapping(let entries) = node.content else { return moved(node) }
            return YAMLNode(
                .mapping(
                    entries.map {
                        $0.key.scalarText == "path"
                            ? YAMLNode.Entry(key: $0.key, value: moved($0.value)) : $0
                    }), range: node.range)
        }
        return YAMLNode(
            .mapping(
                entries.map { entry in
                    guard entry.key.scalarText == "files",
                        case .sequence(let items) = entry.value.content
                    else { return entry }
                    let list = YAMLNode(.sequence(items.map(file)), range: entry.value.range)
                    return YAMLNode.Entry(key: entry.key, value: list)
                }), range: node.range)
    }
}

extension YAMLNode {
    fileprivate func mapped(_ change: (YAMLNode) -> YAMLNode) -> YAMLNode {
        let changed: Content =
            switch content {
            case .scalar: content
            case .sequence(let items): .sequence(items.map { $0.mapped(change) })
            case .mapping(let entries):
                .mapping(
                    entries.map {
                        Entry(key: $0.key.mapped(change), value: $0.value.mapped(change))
                    })
            }
        return change(YAMLNode(changed, range: range, isPlaceholder: isPlaceholder))
    }
}
