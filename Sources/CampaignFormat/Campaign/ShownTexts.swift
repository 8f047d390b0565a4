import CampaignCore

/// The texts that pushes show: the payload's texts, and the texts that replace them on a platform.
struct ShownTexts {
    let common: Texts<LocatedText>
    let special: [Platform: Texts<LocatedText>]
    private let payload: MappingReader
    /// The campaign's platforms; empty if they are not known.
    private let platforms: [Platform]
    private var findings: Findings { payload.findings }

    init(_ payload: MappingReader, platforms: [Platform]) {
        self.payload = payload
        self.platforms = platforms
        common = payload.texts()
        var special: [Platform: Texts<LocatedText>] = [:]
        for platform in Platform.allCases {
            guard let reader = payload.mapping(platform.rawValue) else { continue }
            if !platforms.isEmpty, !platforms.contains(platform) {
                payload.findings.warning(
                    .noEffect, at: reader.keyRange,
                    "\"\(reader.path)\" has no effect: the campaign is not sent to \(platform).",
                    help: "Delete it, or add \(platform) to \"platforms\".")
            }
            special[platform] = reader.texts()
        }
        self.special = special
    }

    /// The payload's own texts come first.
    var all: [LocatedText] {
        common.all + Platform.allCases.flatMap { special[$0]?.all ?? [] }
    }

    var haveVariables: Bool {
        ([common] + special.values).contains { texts in
            TextKey.fetched.contains { texts[$0]?.hasVariables == true }
        }
    }

    var ofPlatforms: [Platform: Texts<LocalizedTemplate>] {
        special.mapValues { $0.map(\.template) }
    }

    /// Warns about platform texts that no push contains: fetched content is the same on all
    /// platforms.
    func warnOfPrivate() {
        for platform in platforms {
            for key in TextKey.fetched {
                guard let text = special[platform]?[key] else { continue }
                findings.warning(
                    .noEffect, at: text.range,
                    "\"payload.\(platform).\(key.rawValue)\" has no effect: title and message stay out of the push, and devices fetch the same content on all platforms.",
                    help: "Write \"private_message: false\" to put them into the push.")
            }
        }
    }

    /// Refuses variables in a placeholder, which push services and bystanders can read.
    ///
    /// - Parameter mayBeOpen: whether the file allows values in a rich push.
    func checkPlaceholders(mayBeOpen: Bool) {
        let message: DiagnosticMessage
        var help: DiagnosticMessage =
            "Write text that is the same for everybody, such as \"You have a new message\"."
        switch payload.kind {
        case .secure:
            message =
                "The placeholder of a secure push cannot have variables: anybody who sees the screen can read it."
        case .rich where !mayBeOpen:
            message =
                "The placeholder of a rich push cannot have variables: it is part of the push, which the push service can read."
            help =
                "Write text that is the same for everybody, such as \"You have a new message\", or \"private_message: false\" to put values into the push."
        case .rich, .alert, nil: return
        }
        for text in ([common] + special.values).compactMap(\.placeholder).flatMap(\.all) {
            guard let variable = text.variables.first else { continue }
            findings.error(.secureLeak, at: variable.range, message, help: help)
        }
    }

    /// A toast is XML, which cannot contain every character.
    func checkXML() {
        guard platforms.contains(.wns), let kind = payload.kind else { return }
        let texts = special[.wns].map { $0.over(common) } ?? common
        guard !kind.isSilent || texts.placeholder != nil else { return }
        for key in TextKey.all where kind.isSilent ? key != .message : !key.isPlaceholder {
            check(texts[key], key.rawValue)
        }
    }

    private func check(_ text: LocatedText?, _ name: String) {
        for text in text?.all ?? [] {
            let scalars = text.scalar.value.text.unicodeScalars
            guard let bad = scalars.enumerated().first(where: { !XMLText.canHold($0.element) })
            else { continue }
            findings.error(
                .unwritableCharacter, at: text.range(of: bad.offset..<(bad.offset + 1)),
                "The \(name) contains the character \(VisibleText.codePoint(bad.element)), which a toast on wns cannot contain.",
                help: "Delete it.")
        }
    }
}

extension MappingReader {
    fileprivate func texts() -> Texts<LocatedText> {
        var texts = Texts<LocatedText>()
        for key in TextKey.all { texts[key] = localized(key.rawValue) }
        return texts
    }
}
