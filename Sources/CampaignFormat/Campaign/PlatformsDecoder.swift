import CampaignCore

enum PlatformsDecoder {
    /// Push services that are not supported yet.
    private static let unsupported = ["baidu", "xiaomi", "mpns"]

    /// Returns the platforms in the file's order, without repeats.
    static func decode(_ campaign: MappingReader) -> [Platform] {
        campaign.items("platforms") { platform($0, findings: campaign.findings) }.values()
    }

    private static func platform(_ item: Located<YAMLScalar>, findings: Findings) -> Platform? {
        let text = item.value.text
        if let platform = Platform(spelling: text) {
            guard platform.rawValue != text else { return platform }
            findings.warning(
                .oldSpelling, at: item.range, "\"\(text)\" is an old spelling.",
                help: "Write \"\(platform)\".")
            return platform
        }
        guard !unsupported.contains(text) else {
            findings.error(
                .unsupportedPlatform, at: item.range,
                "The platform \"\(text)\" is not supported yet.",
                help: "Use one of: \(Platform.names).")
            return nil
        }
        findings.error(
            .unknownValue, at: item.range, "There is no platform \"\(text.shortened)\".",
            help: Platform(called: text).map { "Did you mean \"\($0)\"?" }
                ?? NearestName.help(for: text, among: Platform.allCases.map(\.rawValue)))
        return nil
    }

    /// The correct form of a value such as `iOS` or `apns, fcm`; the usual platforms if the meaning
    /// is not clear.
    static func form(_ node: YAMLNode) -> DiagnosticMessage? {
        let words = RightForm.words(of: node).map { $0.lowercased() }
        guard !words.isEmpty else { return nil }
        let meant = words.compactMap { Platform(rawValue: $0) ?? Platform(called: $0) }
        let isClear = meant.count == words.count
        let platforms = Platform.allCases.filter { isClear ? meant.contains($0) : $0.facts.isUsual }
        let names = platforms.map(\.rawValue).joined(separator: ", ")
        return "[\(names)]"
    }
}
