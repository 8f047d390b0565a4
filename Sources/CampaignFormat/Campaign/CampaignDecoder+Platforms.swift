import CampaignCore
import YAMLSyntax

/// The key `platforms`.
extension CampaignDecoder {
    /// The old spelling that the hub's documents still have.
    private static let oldSpellings = ["gcm": Platform.fcm]
    /// Push services that exist and that no body is written for yet.
    private static let unsupported = ["adm", "browser", "baidu", "xiaomi", "mpns"]

    mutating func platforms(_ reader: MappingReader) -> [Platform] {
        guard let list = findings.list("platforms", of: reader) else { return [] }
        if list.value.isEmpty {
            findings.error(
                .emptyValue, at: list.range, "\"platforms\" is an empty list.",
                help: "Name at least one of \(Self.names).")
        }
        var platforms: [Located<Platform>] = []
        for node in list.value {
            let item = findings.item(node, of: "platforms")
            guard let item, let platform = platform(item) else { continue }
            if let first = platforms.first(where: { $0.value == platform }) {
                findings.error(
                    .duplicateValue, at: item.range, "The platform \(platform) is there twice.",
                    related: ("It is first here.", first.range))
            } else {
                platforms.append(Located(platform, at: item.range))
            }
        }
        return platforms.map(\.value)
    }

    private mutating func platform(_ item: Located<YAMLScalar>) -> Platform? {
        let text = item.value.text
        if let platform = Platform(rawValue: text) { return platform }
        if let platform = Self.oldSpellings[text] {
            findings.warning(
                .oldSpelling, at: item.range, "\"\(text)\" is an old spelling.",
                help: "Write \"\(platform)\".")
            return platform
        }
        guard !Self.unsupported.contains(text) else {
            findings.error(
                .unsupportedPlatform, at: item.range,
                "The platform \"\(text)\" is not supported yet.",
                help: "Supported are: \(Self.names).")
            return nil
        }
        findings.error(
            .unknownValue, at: item.range, "There is no platform \"\(text.shortened)\".",
            help: NearestName.help(for: text, among: Platform.allCases.map(\.rawValue)))
        return nil
    }

    private static var names: String { Platform.allCases.map(\.rawValue).joined(separator: ", ") }
}
