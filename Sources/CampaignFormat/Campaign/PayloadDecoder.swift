import CampaignCore
import YAMLSyntax

/// The key `payload`, read.
struct PayloadSection {
    /// nil when it is not good.
    let payload: Payload?
    let message: LocatedTemplate?
    let type: LocatedTemplate?
    /// All of its texts that could have variables, in order.
    let texts: [LocatedTemplate]
    /// Where its key stands.
    let place: SourceRange
}

/// Reads the key `payload` of a campaign, and the file that it names.
struct PayloadDecoder {
    private static let standardLife = Duration.seconds(7 * 24 * 60 * 60)
    private static let contentKeys = ["file", "text", "url"]
    /// The most bytes of a payload file: it is stored, and phones fetch it over mobile networks.
    private static let largestFile = 4 << 20

    private let payload: MappingReader
    private let kind: CampaignKind?
    private let platforms: [Platform]
    private let files: SafeFolder
    private let limits: CampaignLimits
    private var findings: Findings { payload.findings }

    /// Begins with a campaign; nil where it has no payload.
    ///
    /// - Parameters:
    ///   - campaign: the campaign's keys.
    ///   - kind: what it is; nil when that is not known.
    ///   - platforms: where it is sent.
    ///   - files: where its files lie.
    ///   - limits: what the config says about all campaigns.
    init?(
        _ campaign: MappingReader, kind: CampaignKind?, platforms: [Platform], files: SafeFolder,
        limits: CampaignLimits
    ) {
        guard
            let payload = campaign.mapping(
                "payload", known: CampaignKeys.payload, form: { Self.form($0, kind: kind) })
        else { return nil }
        self.payload = payload
        self.kind = kind
        self.platforms = platforms
        self.files = files
        self.limits = limits
    }

    func decode() -> PayloadSection {
        let errorsBefore = findings.errors
        checkKeys()
        let message = payload.template("message")
        let type = payload.template("type")
        let text = payload.template("text")
        let url = payload.template("url")
        let isPrivate = payload.boolean("private_message")
        let life = payload.duration("expires_after")
        let file = kind == .alert ? nil : file()
        if let type { checkType(type) }
        if let url, let fault = PayloadURLFault.first(in: url, allowing: limits.urlSchemes) {
            findings.error(.invalidURL, at: url.range, fault.message, help: fault.help)
        }
        if kind == .alert, platforms.contains(.wns), let message { checkXML(message) }
        let content: PayloadContent? =
            if let file {
                .file(file)
            } else {
                text.map { .text($0.template) } ?? url.map { .url($0.template) }
            }
        let isGood = findings.errors == errorsBefore
        let decoded = Payload(
            message: message.map { LocalizedTemplate($0.template) }, type: type?.template,
            content: content,
            isMessagePrivate: isPrivate?.value ?? !(message?.template.variables ?? []).isEmpty,
            expiresAfter: life?.value ?? Self.standardLife)
        return PayloadSection(
            payload: isGood ? decoded : nil, message: message, type: type,
            texts: [message, type, text, url].compactMap(\.self), place: payload.keyRange)
    }

    /// What a bare text would be as the payload's keys.
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

    /// Checks which keys the kind needs and takes (contract, sections 3 and 4).
    private func checkKeys() {
        guard let kind else { return }
        let (needed, content, refused): ([String], [String], [String]) =
            switch kind {
            case .secure: ([], ["file", "text"], ["message", "type", "private_message", "url"])
            case .rich: (["message", "type"], Self.contentKeys, [])
            case .alert: (["message"], [], Self.contentKeys + ["type", "private_message"])
            }
        for key in refused where payload.has(key) {
            findings.error(
                .keyNotForKind, at: payload.range(ofKey: key),
                "A campaign of kind \(kind.rawValue) has no \"\(payload.name(of: key))\".",
                help: Self.help(for: kind))
        }
        payload.require(needed)
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

    private static func help(for kind: CampaignKind) -> String {
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

    /// A toast is XML, which cannot hold every character.
    private func checkXML(_ message: LocatedTemplate) {
        let text = message.scalar.value.text
        let bad = text.unicodeScalars.enumerated().first { !XMLText.canHold($0.element) }
        guard let bad else { return }
        findings.error(
            .unwritableCharacter, at: message.range(of: bad.offset..<(bad.offset + 1)),
            "The message has the character \(VisibleText.codePoint(bad.element)), which a toast on wns cannot carry.",
            help: "Delete it.")
    }

    /// The payload file, read whole.
    private func file() -> PayloadFile? {
        guard let path = payload.text("file")?.map(\.text) else { return nil }
        let bytes: [UInt8]
        do throws(FileReferenceFault) {
            bytes = try files.contents(of: path.value, limit: Self.largestFile)
        } catch {
            let isLink = error == .address && kind != .secure
            findings.error(
                error.rule, at: path.range, error.message(for: path.value),
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
