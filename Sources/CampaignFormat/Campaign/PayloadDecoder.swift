import CampaignCore
import YAMLSyntax

struct PayloadSection {
    /// nil if it has errors.
    let payload: Payload?
    /// Without its content; set if the only error is that its file is not on this host.
    let withoutFile: Payload?
    let message: LocatedText?
    let type: LocatedTemplate?
    let texts: [LocatedTemplate]
    let place: SourceRange
}

struct PayloadDecoder {
    private struct Texts {
        let title: LocatedText?
        let message: LocatedText?
        let text: LocatedText?
        let placeholder: LocatedText?

        var all: [LocatedText] { [title, message, text, placeholder].compactMap(\.self) }
        var titleAndMessage: [LocatedTemplate] {
            [title, message].compactMap(\.self).flatMap(\.all)
        }
    }

    private static let standardLife = Duration.seconds(7 * 24 * 60 * 60)
    private static let contentKeys = ["file", "text", "url"]
    /// In bytes: it is stored, and phones fetch it over mobile networks.
    private static let largestFile = 4 << 20

    private let payload: MappingReader
    private let kind: CampaignKind?
    private let platforms: [Platform]
    private let files: SafeFolder
    private let limits: CampaignLimits
    private let hasLanguageColumn: Bool
    private var findings: Findings { payload.findings }

    /// nil if the campaign has no payload.
    init?(
        _ campaign: MappingReader, kind: CampaignKind?, platforms: [Platform], files: SafeFolder,
        limits: CampaignLimits
    ) {
        guard
            let payload = campaign.mapping("payload", form: { Self.form($0, kind: kind) })
        else { return nil }
        self.payload = payload
        self.kind = kind
        self.platforms = platforms
        self.files = files
        self.limits = limits
        self.hasLanguageColumn = campaign["audience"]?.hasKey("language_column") ?? false
    }

    func decode() -> PayloadSection {
        let (errorsBefore, absencesBefore) = (findings.errors, findings.absences)
        checkKeys()
        let texts = Texts(
            title: payload.localized("title"), message: payload.localized("message"),
            text: payload.localized("text"), placeholder: payload.localized("placeholder"))
        let type = payload.template("type")
        let url = payload.template("url")
        let link = payload.template("link")
        let data = DataDecoder(payload, kind: kind).decode()
        let special = PlatformTextsDecoder(payload, kind: kind, platforms: platforms)
        let sections = special.decode()
        let isPrivate = payload.boolean("private_message")
        let life = payload.duration("expires_after")
        let file = kind == .alert ? nil : file()
        if let type { checkType(type) }
        checkAddress(url, "url")
        checkAddress(link, "link")
        if let link { checkFile(beside: link) }
        checkLife(life)
        checkPlaceholders(texts, sections, mayBeOpen: isPrivate?.value == false)
        checkXML(texts, sections)
        checkLanguages(texts, sections)
        // A device that gets a message fetches nothing: if a value stays out, so must the message.
        let isMessagePrivate =
            isPrivate?.value
            ?? (Self.haveVariables(texts, sections)
                || ([link].compactMap(\.self) + data.map(\.text))
                    .contains { !$0.template.variables.isEmpty })
        if kind == .rich, isMessagePrivate { special.warnOfPrivate(sections) }
        let content: PayloadContent? =
            if let file {
                .file(file)
            } else {
                texts.text?.fallback.map { .text($0.template) } ?? url.map { .url($0.template) }
            }
        let decoded = Payload(
            title: texts.title?.template, message: texts.message?.template, type: type?.template,
            content: content, contentText: texts.text?.template,
            placeholder: texts.placeholder?.template, link: link?.template,
            data: data.map { (key: $0.key, value: $0.text.template) },
            badge: payload.integer("badge")?.value, sound: plainText("sound"),
            thread: plainText("thread"), platformTexts: sections.mapValues(\.texts),
            isMessagePrivate: isMessagePrivate, areValuesPrivate: isPrivate?.value != false,
            expiresAfter: life?.value ?? Self.standardLife)
        checkVisible(decoded)
        let errors = findings.errors - errorsBefore
        let isAbsent = errors > 0 && errors == findings.absences - absencesBefore
        return PayloadSection(
            payload: errors == 0 ? decoded : nil, withoutFile: isAbsent ? decoded : nil,
            message: texts.message, type: type,
            texts: texts.titleAndMessage + [type].compactMap(\.self) + (texts.text?.all ?? [])
                + [url, link].compactMap(\.self) + data.map(\.text) + (texts.placeholder?.all ?? [])
                + Platform.allCases.flatMap { sections[$0]?.all ?? [] }.flatMap(\.all),
            place: payload.keyRange)
    }

    /// A bare text, rewritten as keys.
    private static func form(_ node: YAMLNode, kind: CampaignKind?) -> DiagnosticMessage? {
        guard let text = RightForm.text(of: node) else { return nil }
        let value = RightForm.quoted(text)
        return switch kind {
        case .secure: "{ text: \(value) }"
        case .rich: "{ message: \(value), type: text, text: … }"
        case .alert, nil: "{ message: \(value) }"
        }
    }

    // MARK: Keys

    /// Checks the keys that the kind requires or refuses.
    private func checkKeys() {
        guard let kind else { return }
        let refused = MappingShape.payload.names(refusedBy: kind)
        let content = Self.contentKeys.filter { !refused.contains($0) }
        for key in refused where payload.has(key) {
            findings.error(
                .keyNotForKind, at: payload.range(ofKey: key),
                "A campaign of kind \(kind.rawValue) has no \"\(payload.name(of: key))\".",
                help: Self.help(for: kind))
        }
        payload.require(MappingShape.payload.names(requiredBy: kind))
        let given = content.filter { payload.has($0) }
        let names = content.map { "\"\($0)\"" }
        let choice = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        if given.isEmpty, !content.isEmpty {
            findings.error(
                .payloadContent, at: payload.keyRange,
                "The payload has nothing for devices to fetch: \(choice) is missing.")
        }
        for key in given.dropFirst() {
            findings.error(
                .payloadContent, at: payload.range(ofKey: key),
                "The payload has more than one of \(choice).", help: "Keep one of them.",
                related: ("The first is here.", payload.range(ofKey: given[0])))
        }
    }

    static func help(for kind: CampaignKind) -> DiagnosticMessage {
        switch kind {
        case .secure: "A secure push holds an id only; the device fetches \"text\" or \"file\"."
        case .rich: "A rich push has \"message\", \"type\" and one of \"file\", \"text\", \"url\"."
        case .alert: "An alert is its \"message\"; nothing is fetched."
        }
    }

    // MARK: Values

    private func checkType(_ type: LocatedTemplate) {
        let sample = type.sample
        guard sample.count > 64 || sample.contains(where: \.isWhitespace) else { return }
        findings.error(
            .unknownValue, at: type.range, "\"payload.type\" is not a single word.",
            help: "Write a word such as img, url, text or sound, of at most 64 characters.")
    }

    private func checkAddress(_ address: LocatedTemplate?, _ key: String) {
        guard let address,
            let fault = PayloadURLFault.first(
                in: address, named: payload.name(of: key), allowing: limits.urlSchemes)
        else { return }
        findings.error(.invalidURL, at: address.range, fault.message, help: fault.help)
    }

    private func plainText(_ key: String) -> String? {
        guard let text = payload.text(key) else { return nil }
        guard !text.value.text.contains("{{") else {
            findings.error(
                .invalidTemplate, at: text.range, "\"\(payload.name(of: key))\" has no variables.",
                help: "Write a text that is the same for all.")
            return nil
        }
        return text.value.text
    }

    /// Refuses a secure file, the same for everybody: secure content is encrypted for each person.
    private func checkFile(beside link: LocatedTemplate) {
        guard kind == .secure, payload.has("file"), let variable = link.variables.first else {
            return
        }
        findings.error(
            .invalidTemplate, at: variable.range,
            "\"\(payload.name(of: "link"))\" of a secure campaign has no variables beside \"file\": the file would be stored once for each person.",
            help: "Write an address that is the same for all, or \"text\" instead of \"file\".")
    }

    /// Warns of a lifetime that a push service makes longer.
    private func checkLife(_ life: Located<Duration>?) {
        guard let life else { return }
        for platform in platforms {
            let least = PushBody.shortestLife(on: platform)
            guard life.value < least else { continue }
            findings.warning(
                .noEffect, at: life.range,
                "On \(platform) a push is kept for at least \(DurationText.text(of: least)), which is longer than this.",
                help: "Write \(DurationText.text(of: least)) or more, or leave \(platform) out.")
        }
    }

    /// A placeholder is in the push, where push services and bystanders read it.
    ///
    /// - Parameter mayBeOpen: whether the file says that a rich push may hold values.
    private func checkPlaceholders(
        _ texts: Texts, _ sections: [Platform: PlatformTextsDecoder.Section], mayBeOpen: Bool
    ) {
        let message: DiagnosticMessage
        var help: DiagnosticMessage =
            "Write a text that is the same for all, such as \"You have a new message\"."
        switch kind {
        case .secure:
            message =
                "The placeholder of a secure push has no variables: anybody who sees the screen reads it."
        case .rich where !mayBeOpen:
            message =
                "The placeholder of a rich push has no variables: it stands in the push, where the push service reads it."
            help =
                "Write a text that is the same for all, such as \"You have a new message\", or \"private_message: false\" to put values into the push."
        case .rich, .alert, nil: return
        }
        let all = [texts.placeholder] + Platform.allCases.map { sections[$0]?.placeholder }
        for text in all.compactMap(\.self).flatMap(\.all) {
            guard let variable = text.variables.first else { continue }
            findings.error(.secureLeak, at: variable.range, message, help: help)
        }
    }

    /// A toast is XML, which cannot hold every character.
    private func checkXML(
        _ texts: Texts, _ sections: [Platform: PlatformTextsDecoder.Section]
    ) {
        guard platforms.contains(.wns) else { return }
        let special = sections[.wns]
        var shown = [("title", special?.title ?? texts.title)]
        switch kind {
        case .alert: shown.append(("message", special?.message ?? texts.message))
        case .secure, .rich:
            guard let placeholder = special?.placeholder ?? texts.placeholder else { return }
            shown.append(("placeholder", placeholder))
        case nil: return
        }
        for (name, text) in shown {
            for text in text?.all ?? [] { checkXML(text, name) }
        }
    }

    private func checkXML(_ message: LocatedTemplate, _ name: String) {
        let text = message.scalar.value.text
        let bad = text.unicodeScalars.enumerated().first { !XMLText.canHold($0.element) }
        guard let bad else { return }
        findings.error(
            .unwritableCharacter, at: message.range(of: bad.offset..<(bad.offset + 1)),
            "The \(name) has the character \(VisibleText.codePoint(bad.element)), which a toast on wns cannot carry.",
            help: "Delete it.")
    }

    /// Warns if texts name languages and nobody's is known.
    private func checkLanguages(
        _ texts: Texts, _ sections: [Platform: PlatformTextsDecoder.Section]
    ) {
        let all = texts.all + Platform.allCases.flatMap { sections[$0]?.all ?? [] }
        guard !hasLanguageColumn,
            let place = all.compactMap(\.firstLanguage).min(by: { $0.start < $1.start })
        else { return }
        findings.warning(
            .noEffect, at: place, "Nobody's language is known, so that everybody gets \"default\".",
            help:
                "Write under \"audience\" which column of its files has the language: language_column: lang"
        )
    }

    /// Warns of settings that only a visible apns push has, if there is none.
    private func checkVisible(_ decoded: Payload) {
        guard let kind, !platforms.isEmpty else { return }
        let reason: String? =
            if !platforms.contains(.apns) {
                "the campaign is not sent to apns"
            } else if kind.isSilent, decoded.texts(on: .apns).placeholder == nil {
                "a silent push shows nothing"
            } else {
                nil
            }
        guard let reason else { return }
        for key in ["badge", "sound", "thread"] where payload.has(key) {
            findings.warning(
                .noEffect, at: payload.range(ofKey: key),
                "\"\(payload.name(of: key))\" has no effect: \(reason).",
                help: platforms.contains(.apns)
                    ? "Delete it, or write a \"placeholder\", which makes the push visible."
                    : "Delete it; only visible pushes of apns have it.")
        }
    }

    private static func haveVariables(
        _ texts: Texts, _ sections: [Platform: PlatformTextsDecoder.Section]
    ) -> Bool {
        let special = sections.values.flatMap { [$0.title, $0.message] }
        return ([texts.title, texts.message] + special).contains { $0?.hasVariables == true }
    }

    private func file() -> PayloadFile? {
        guard let path = payload.text("file")?.map(\.text) else { return nil }
        let bytes: [UInt8]
        do throws(FileReferenceFault) {
            bytes = try files.contents(of: path.value, limit: Self.largestFile)
        } catch {
            let isLink = error == .address && kind != .secure
            findings.error(
                error, at: path.range, error.message(for: path.value),
                help: isLink ? "Write url: \(path.value.shortened)" : error.help)
            return nil
        }
        guard !bytes.isEmpty else {
            findings.error(
                .emptyValue, at: path.range, "The payload file \"\(path: path.value)\" is empty.")
            return nil
        }
        if kind == .secure,
            let bad = UTF8Check.firstFault(in: bytes[...]) ?? bytes.firstIndex(of: 0)
        {
            findings.error(
                .notText, at: path.range,
                "The payload file \"\(path: path.value)\" is not UTF-8 text: byte \(bad + 1) is not valid.",
                help: "A secure campaign sends text; save the file as UTF-8, or use kind rich.")
            return nil
        }
        let type = MediaType(path: path.value, bytes: bytes)
        if let contradiction = type.contradiction {
            findings.warning(
                .mediaTypeMismatch, at: path.range,
                "The extension of \"\(path: path.value)\" does not fit its content, which is \(contradiction).",
                help: "Devices are told \(type.name).")
        }
        return PayloadFile(path: path.value, mediaType: type.name, bytes: bytes)
    }
}

extension YAMLNode {
    fileprivate func hasKey(_ key: String) -> Bool {
        guard case .mapping(let entries) = content else { return false }
        return entries.contains { entry in
            if case .scalar(let scalar) = entry.key.content { scalar.text == key } else { false }
        }
    }
}
