import CampaignCore

/// The key `payload`, without parts that could not be read.
struct PayloadSection {
    /// The payload; it has no content if its file could not be read.
    let payload: Payload
    /// All texts that may have variables.
    let texts: [LocatedTemplate]
    /// The first language that is listed under a text.
    let firstLanguage: SourceRange?
    /// nil if the value is invalid.
    let life: Duration?
    /// nil if the file does not set it.
    let isPrivate: Bool?

    /// Warns if texts have languages but nobody's language is known.
    func warnOfLanguages(_ findings: Findings) {
        guard let firstLanguage else { return }
        findings.warning(
            .noEffect, at: firstLanguage,
            "Nobody's language is known, so everybody gets \"default\".",
            help:
                "Under \"audience\", specify the column that contains the language: language_column: lang"
        )
    }
}

struct PayloadDecoder {
    private static let standardLife = Duration.seconds(7 * 24 * 60 * 60)
    /// The size limit in bytes, because the file is stored and phones fetch it over mobile
    /// networks.
    private static let largestFile = 4 << 20

    let payload: MappingReader
    /// The campaign's platforms; empty if they are not known.
    let platforms: [Platform]
    let files: SafeFolder
    let limits: CampaignLimits
    private var kind: CampaignKind? { payload.kind }
    private var findings: Findings { payload.findings }

    func decode() -> PayloadSection {
        let shown = ShownTexts(payload, platforms: platforms)
        let text = payload.localized("text")
        let type = type()
        let (url, link) = (address("url"), address("link"))
        let data = DataDecoder(payload: payload).decode()
        let isPrivate = payload.boolean("private_message")?.value
        let life = life()
        if let link { checkFile(beside: link) }
        shown.checkPlaceholders(mayBeOpen: isPrivate == false)
        shown.checkXML()
        // A device that gets a message in the push fetches nothing. So if a value must stay out of
        // the push, the whole message must.
        let isMessagePrivate =
            isPrivate
            ?? (shown.haveVariables
                || ([link].compactMap(\.self) + data.map(\.text))
                    .contains { !$0.template.variables.isEmpty })
        if kind == .rich, isMessagePrivate { shown.warnOfPrivate() }
        let decoded = Payload(
            texts: shown.common.map(\.template), type: type?.template,
            content: file().map { .file($0) } ?? text?.fallback.map { .text($0.template) }
                ?? url.map { .url($0.template) },
            contentText: text?.template, link: link?.template,
            data: data.map { (key: $0.key, value: $0.text.template) },
            badge: payload.integer("badge")?.value, sound: plainText("sound"),
            thread: plainText("thread"), platformTexts: shown.ofPlatforms,
            isMessagePrivate: isMessagePrivate, areValuesPrivate: isPrivate != false,
            expiresAfter: life ?? Self.standardLife)
        checkVisible(decoded)
        let others = [type, url, link].compactMap(\.self) + data.map(\.text)
        return PayloadSection(
            payload: decoded,
            texts: (shown.all + [text].compactMap(\.self)).flatMap(\.all) + others,
            firstLanguage: (shown.all + [text].compactMap(\.self)).compactMap(\.firstLanguage)
                .min { $0.start < $1.start },
            life: payload.has("expires_after") ? life : Self.standardLife, isPrivate: isPrivate)
    }

    private func type() -> LocatedTemplate? {
        guard let type = payload.template("type") else { return nil }
        let sample = type.sample
        if sample.count > 64 || sample.contains(where: \.isWhitespace) {
            findings.error(
                .unknownValue, at: type.range, "\"payload.type\" is not a single word.",
                help: "Write a word such as img, url, text or sound, of at most 64 characters.")
        }
        return type
    }

    private func address(_ key: String) -> LocatedTemplate? {
        guard let address = payload.template(key) else { return nil }
        let problem = PayloadURLError.first(
            in: address, named: payload.name(of: key), allowing: limits.urlSchemes)
        if let problem {
            findings.error(.invalidURL, at: address.range, problem.message, help: problem.help)
        }
        return address
    }

    private func plainText(_ key: String) -> String? {
        guard let text = payload.text(key) else { return nil }
        guard !text.value.text.contains("{{") else {
            findings.error(
                .invalidTemplate, at: text.range,
                "\"\(payload.name(of: key))\" cannot have variables.",
                help: "Write text that is the same for everybody.")
            return nil
        }
        return text.value.text
    }

    /// Refuses a personal link with a secure file, which would be encrypted and stored once per
    /// person.
    private func checkFile(beside link: LocatedTemplate) {
        guard kind == .secure, payload.has("file"), let variable = link.variables.first else {
            return
        }
        findings.error(
            .invalidTemplate, at: variable.range,
            "\"\(payload.name(of: "link"))\" of a secure campaign cannot have variables together with \"file\": the file would be stored once per person.",
            help:
                "Write an address that is the same for everybody, or use \"text\" instead of \"file\"."
        )
    }

    /// Warns about a lifetime shorter than a push service's minimum.
    private func life() -> Duration? {
        guard let life = payload.duration("expires_after") else { return nil }
        for platform in platforms {
            let least = Duration.seconds(platform.facts.lives.lowerBound)
            guard life.value < least else { continue }
            findings.warning(
                .noEffect, at: life.range,
                "On \(platform), a push is kept for at least \(Durations.written(least)), which is longer than \"expires_after\".",
                help:
                    "Write \(Durations.written(least)) or more, or remove \(platform) from \"platforms\"."
            )
        }
        return life.value
    }

    /// Warns about settings for visible apns pushes if the campaign sends no such pushes.
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
                    : "Delete it; it only affects visible pushes on apns.")
        }
    }

    private func file() -> PayloadFile? {
        guard let path = payload.text("file")?.map(\.text) else { return nil }
        let bytes: [UInt8]
        do throws(FileReferenceError) {
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
            let bad = UTF8Check.firstInvalid(in: bytes[...]) ?? bytes.firstIndex(of: 0)
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
                "The extension of \"\(path: path.value)\" does not match its content, which is \(contradiction).",
                help: "Devices receive it as \(type.name); rename or convert the file.")
        }
        return PayloadFile(path: path.value, mediaType: type.name, bytes: bytes)
    }
}
