import CampaignCore

/// Reads the key `data`: further keys for the app, each with a text value.
struct DataDecoder {
    struct Item {
        let key: String
        let text: LocatedTemplate
    }

    /// The maximum number of keys; a push has no room for more.
    static let most = 100
    /// Keys that pushes already contain, and keys that FCM reserves; case is ignored.
    static let reserved = Set(
        TextKey.allCases.map(\.rawValue) + [
            "aps", "secureid", "richid", "richtype", "richmessage", "body", "link", "badge",
            "sound", "thread", "thread-id", "data", "notification", "from", "message_type",
            "collapse_key",
        ])
    /// Prefixes that FCM reserves; case is ignored.
    static let reservedBeginnings = ["google.", "gcm."]

    let payload: MappingReader
    private var findings: Findings { payload.findings }

    func decode() -> [Item] {
        guard let node = payload["data"], !node.isPlaceholder else { return [] }
        guard case .mapping(let entries) = node.content else {
            findings.error(
                .wrongType, at: payload.range(ofKey: "data"),
                "\"payload.data\" must contain keys with text values.",
                help: "Write, for example: data: { campaign: spring }")
            return []
        }
        guard entries.count <= Self.most else {
            findings.error(
                .tooLarge, at: payload.range(ofKey: "data"),
                "\"payload.data\" has more than \(Self.most) keys.")
            return []
        }
        var seen: Set<String> = []
        return entries.compactMap { entry in
            guard case .scalar(let key) = entry.key.content, !entry.key.isPlaceholder,
                seen.insert(key.text).inserted
            else { return nil }
            let isGood = isGood(key.text, at: entry.key.range)
            let text = payload.template(
                entry.value, of: "data.\(key.text.shortened)", keyRange: entry.key.range)
            guard let text, isGood else { return nil }
            if payload.kind == .secure, let variable = text.variables.first {
                findings.error(
                    .secureLeak, at: variable.range,
                    "\"payload.data\" of a secure campaign cannot have variables.",
                    help: "Put personal content into \"text\", which the device fetches.")
            }
            return Item(key: key.text, text: text)
        }
    }

    private func isGood(_ key: String, at range: SourceRange) -> Bool {
        guard MessageTemplate.isName(key) else {
            findings.error(
                .invalidName, at: range,
                "\"\(key.shortened)\" cannot be a key of \"payload.data\".",
                help: "A key consists of 1 to 64 letters, digits, dots, - and _.")
            return false
        }
        let name = key.lowercased()
        guard !Self.reserved.contains(name),
            !Self.reservedBeginnings.contains(where: name.hasPrefix)
        else {
            findings.error(
                .invalidName, at: range,
                "The key \"\(key)\" is reserved, because pushes already contain it.",
                help: "Use another name, such as \"app_\(key)\".")
            return false
        }
        return true
    }
}
