import CampaignCore
import YAMLSyntax

enum PlatformsDecoder {
    /// An old spelling that the hub still has.
    private static let oldSpellings = ["gcm": Platform.fcm]
    /// What people call devices and their makers.
    private static let otherNames: [String: Platform] = [
        "ios": .apns, "iphone": .apns, "ipad": .apns, "ipados": .apns, "macos": .apns,
        "apple": .apns, "apn": .apns, "android": .fcm, "google": .fcm, "firebase": .fcm,
        "windows": .wns, "microsoft": .wns, "amazon": .adm, "fire": .adm, "kindle": .adm,
        "web": .browser, "webpush": .browser, "chrome": .browser, "firefox": .browser,
    ]
    private static let usual = [Platform.apns, .fcm, .wns]
    /// Push services that are not supported yet.
    private static let unsupported = ["baidu", "xiaomi", "mpns"]

    /// In the file's order, each once; empty after reporting that there are none.
    static func decode(_ campaign: MappingReader) -> [Platform] {
        guard let list = campaign.list("platforms", form: form) else { return [] }
        if list.value.isEmpty {
            campaign.findings.error(
                .emptyValue, at: list.range, "\"platforms\" is an empty list.",
                help: "Name at least one of \(names).")
        }
        var platforms: [Located<Platform>] = []
        for node in list.value {
            guard let item = campaign.item(node, of: "platforms"),
                let platform = platform(item, findings: campaign.findings)
            else { continue }
            if let first = platforms.first(where: { $0.value == platform }) {
                campaign.findings.error(
                    .duplicateValue, at: item.range, "The platform \(platform) appears twice.",
                    related: ("It is first here.", first.range))
            } else {
                platforms.append(Located(platform, at: item.range))
            }
        }
        return platforms.map(\.value)
    }

    private static func platform(_ item: Located<YAMLScalar>, findings: Findings) -> Platform? {
        let text = item.value.text
        if let platform = Platform(rawValue: text) { return platform }
        if let platform = oldSpellings[text] {
            findings.warning(
                .oldSpelling, at: item.range, "\"\(text)\" is an old spelling.",
                help: "Write \"\(platform)\".")
            return platform
        }
        guard !unsupported.contains(text) else {
            findings.error(
                .unsupportedPlatform, at: item.range,
                "The platform \"\(text)\" is not supported yet.",
                help: "Supported are: \(names).")
            return nil
        }
        findings.error(
            .unknownValue, at: item.range, "There is no platform \"\(text.shortened)\".",
            help: otherNames[text.lowercased()].map { "Did you mean \"\($0)\"?" }
                ?? NearestName.help(for: text, among: Platform.allCases.map(\.rawValue)))
        return nil
    }

    /// For `platforms: iOS` or `platforms: apns, fcm`; the usual ones if it is not clear.
    private static func form(_ node: YAMLNode) -> DiagnosticMessage? {
        let words = RightForm.words(of: node).map { $0.lowercased() }
        guard !words.isEmpty else { return nil }
        let meant = words.compactMap { Platform(rawValue: $0) ?? otherNames[$0] }
        let isClear = meant.count == words.count
        let platforms = isClear ? Platform.allCases.filter(meant.contains) : usual
        let names = platforms.map(\.rawValue).joined(separator: ", ")
        return "[\(names)]"
    }

    private static var names: String { Platform.allCases.map(\.rawValue).joined(separator: ", ") }
}
