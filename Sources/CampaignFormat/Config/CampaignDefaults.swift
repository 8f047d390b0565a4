import CampaignCore
import Files
import YAMLSyntax

/// The key `defaults` of a config: what stands in for the keys that a campaign does not have.
///
/// The campaign's own value wins, mappings are joined key by key, and lists are replaced. `audience.exclude` is added
/// whatever the campaign says. A section of what makes a campaign (`audience`, `payload`, `schedule`) is only joined to
/// the campaign's: defaults alone address nobody, say nothing and begin nothing. Quiet hours hold for every campaign all the same.
package struct CampaignDefaults: Sendable {
    private static let filesOutside = "export:"

    /// The config's path as shown.
    let file: String
    /// The config's text, its secrets blotted out.
    let source: SourceText
    /// Where the config names people.
    let people: [SourceRange]
    private let node: YAMLNode

    /// - Parameters:
    ///   - node: the value of the key, found good.
    ///   - config: the config.
    ///   - secrets: where secrets stand in it.
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

    /// A campaign with what it takes over.
    ///
    /// - Parameters:
    ///   - root: the campaign's top; what is not a mapping stays as it is.
    ///   - files: where its files lie; paths of the config start from their root.
    ///   - place: where a node of the config stands for whoever reads the campaign.
    func joined(
        to root: YAMLNode, files: SafeFolder, place: (SourceRange) -> SourceRange
    ) -> YAMLNode {
        let kind = root.entry(at: "kind").flatMap {
            CampaignKind(rawValue: $0.value.scalarText ?? "")
        }
        let shared = node.mapped { node in
            YAMLNode(node.content, range: place(node.range), isPlaceholder: node.isPlaceholder)
        }
        // Without a schedule of its own a campaign is started by people, and still not sent at night.
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

    /// Whether campaigns of a kind have a key; where the kind is not known, all do.
    private static func fits(_ path: [String], _ kind: CampaignKind?) -> Bool {
        guard let kind, path.count == 2 else { return true }
        return MappingShape.campaign[path[0]]?.value.keyed?[path[1]]?.kinds.contains(kind) != false
    }

    /// An entry that is taken over whole, without what campaigns of a kind do not have.
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

    /// - Parameter takenOver: what becomes of an entry of the defaults that the campaign does not have, or whose key
    ///   always adds; nil: it is left out.
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

    /// An exclusion whose files are named from the config's folder, as one that names them from the campaign's.
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
    /// The same value, each node of it changed.
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
