import CampaignCore
import YAMLSyntax

/// Reads the keys `apns`, `fcm` and so on, which replace texts on one platform.
struct PlatformTextsDecoder {
    struct Section {
        let title: LocatedText?
        let message: LocatedText?
        let placeholder: LocatedText?

        var all: [LocatedText] { [title, message, placeholder].compactMap(\.self) }

        var texts: PlatformTexts {
            PlatformTexts(
                title: title?.template, message: message?.template,
                placeholder: placeholder?.template)
        }
    }

    private let payload: MappingReader
    private let kind: CampaignKind?
    private let platforms: [Platform]
    private var findings: Findings { payload.findings }

    /// - Parameter platforms: empty if they are not known.
    init(_ payload: MappingReader, kind: CampaignKind?, platforms: [Platform]) {
        self.payload = payload
        self.kind = kind
        self.platforms = platforms
    }

    func decode() -> [Platform: Section] {
        var sections: [Platform: Section] = [:]
        for platform in Platform.allCases {
            guard let reader = payload.mapping(platform.rawValue, form: Self.form) else {
                continue
            }
            if !platforms.isEmpty, !platforms.contains(platform) {
                findings.warning(
                    .noEffect, at: reader.keyRange,
                    "\"\(payload.name(of: platform.rawValue))\" has no effect: the campaign is not sent to \(platform).",
                    help: "Delete it, or add \(platform) to \"platforms\".")
            }
            checkKeys(of: reader)
            sections[platform] = Section(
                title: reader.localized("title"), message: reader.localized("message"),
                placeholder: reader.localized("placeholder"))
        }
        return sections
    }

    /// Warns of texts that no push holds: what people fetch is the same on all platforms.
    func warnOfPrivate(_ sections: [Platform: Section]) {
        for platform in platforms {
            guard let section = sections[platform] else { continue }
            for (key, text) in [("title", section.title), ("message", section.message)] {
                guard let text else { continue }
                findings.warning(
                    .noEffect, at: text.range,
                    "\"payload.\(platform).\(key)\" has no effect: title and message stay out of the push, and what devices fetch is the same on all platforms.",
                    help: "Write \"private_message: false\" to put them into the push.")
            }
        }
    }

    private func checkKeys(of reader: MappingReader) {
        guard let kind else { return }
        for key in MappingShape.platformTexts.names(refusedBy: kind) where reader.has(key) {
            findings.error(
                .keyNotForKind, at: reader.range(ofKey: key),
                "A campaign of kind \(kind.rawValue) has no \"\(reader.name(of: key))\".",
                help: PayloadDecoder.help(for: kind))
        }
    }

    private static func form(_ node: YAMLNode) -> DiagnosticMessage? {
        RightForm.text(of: node).map { "{ message: \(RightForm.quoted($0)) }" }
    }
}
