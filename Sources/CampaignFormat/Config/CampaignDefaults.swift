import CampaignCore
import Files

/// The config's `defaults`, which apply to keys that a campaign does not set.
///
/// The campaign's own value takes precedence, mappings are merged, and lists are replaced;
/// `audience.exclude` is always added. `audience`, `payload` and `schedule` only extend a section
/// that the campaign has, but quiet hours apply to every campaign.
package struct CampaignDefaults: Sendable {
    let file: String
    /// The config's text with its secrets masked.
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

    /// The config's paths are relative to the root of `files`; `place` maps its ranges to the
    /// joined text.
    func joined(
        to root: YAMLNode, files: SafeFolder, place: (SourceRange) -> SourceRange
    ) -> YAMLNode {
        let kind = root.entry(at: "kind")?.value.scalarText.flatMap(CampaignKind.init(rawValue:))
        let moved = node.mapped { node in
            YAMLNode(node.content, range: place(node.range), isPlaceholder: node.isPlaceholder)
        }
        let shared = kind.map { moved.keeping(keysFor: $0, of: .campaign) } ?? moved
        // Quiet hours also apply to a campaign without a schedule, which is started by hand.
        let hasSendTimes =
            shared.entry(at: "schedule", "quiet_hours") != nil
            || [shared, root].contains { $0.entry(at: "delivery", "local_time") != nil }
        return Self.join(shared, to: root) { path, entry in
            switch path.joined(separator: ".") {
            case "audience", "payload": nil
            case "schedule": hasSendTimes ? entry : nil
            case "audience.exclude":
                YAMLNode.Entry(key: entry.key, value: Self.exclusion(entry.value, in: files))
            default: entry
            }
        }
    }

    /// - Parameter takenOver: converts an entry of the defaults before it is added to the campaign;
    /// returns nil to leave out the entry.
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

    /// Converts paths relative to the config's folder to paths relative to the campaign's folder.
    private static func exclusion(_ node: YAMLNode, in files: SafeFolder) -> YAMLNode {
        func moved(_ node: YAMLNode) -> YAMLNode {
            guard case .scalar(let scalar) = node.content, !Path.isAbsolute(scalar.text),
                !scalar.text.hasPrefix(ExportFolder.prefix)
            else { return node }
            let path = files.path(fromRoot: scalar.text)
            return YAMLNode(
                .scalar(YAMLScalar(text: path, style: scalar.style)), range: node.range)
        }
        return node.changing("files") { list in
            guard case .sequence(let items) = list.content else { return list }
            let files = items.map { item in
                if case .scalar = item.content { moved(item) } else { item.changing("path", moved) }
            }
            return YAMLNode(.sequence(files), range: list.range)
        }
    }
}

extension YAMLNode {
    /// Changes the value of a key of a mapping.
    fileprivate func changing(_ key: String, _ change: (YAMLNode) -> YAMLNode) -> YAMLNode {
        guard case .mapping(let entries) = content else { return self }
        return YAMLNode(
            .mapping(
                entries.map {
                    $0.key.scalarText == key ? Entry(key: $0.key, value: change($0.value)) : $0
                }), range: range)
    }

    /// Removes keys that campaigns of the kind do not have.
    fileprivate func keeping(keysFor kind: CampaignKind, of shape: MappingShape) -> YAMLNode {
        guard case .mapping(let entries) = content else { return self }
        let left = entries.filter { $0.key.scalarText.map { shape.has($0, for: kind) } ?? true }
        return YAMLNode(
            .mapping(
                left.map { entry in
                    let inner = entry.key.scalarText.flatMap { shape[$0]?.value.keyed }
                    guard let inner else { return entry }
                    return Entry(
                        key: entry.key, value: entry.value.keeping(keysFor: kind, of: inner))
                }), range: range, isPlaceholder: isPlaceholder)
    }

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
