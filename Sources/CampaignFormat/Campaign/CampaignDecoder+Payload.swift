import CampaignCore
import YAMLSyntax

/// The key `payload`.
extension CampaignDecoder {
    private static let standardLife = Duration.seconds(7 * 24 * 60 * 60)
    private static let contentKeys = ["file", "text", "url"]

    mutating func payload(_ reader: MappingReader, kind: CampaignKind?, platforms: [Platform])
        -> PayloadSection?
    {
        guard
            let payload = reader.mapping(
                "payload", known: CampaignKeys.payload, form: { Self.form($0, kind: kind) },
                findings: &findings)
        else { return nil }
        let errorsBefore = findings.errors
        places["payload"] = payload.keyRange
        if let kind { checkKeys(of: payload, kind: kind) }
        let message = template("message", of: payload)
        let type = template("type", of: payload)
        let text = template("text", of: payload)
        let url = template("url", of: payload)
        places["payload.message"] = message?.range
        places["payload.type"] = type?.range
        let isPrivate = findings.boolean("private_message", of: payload)
        let life = findings.duration("expires_after", of: payload)
        let file = kind == .alert ? nil : payloadFile(payload, kind: kind)
        if let type { checkType(type) }
        if let url { checkURL(url) }
        if kind == .alert, platforms.contains(.wns), let message { checkXML(message) }
        let texts = [message, type, text, url].compactMap(\.self)
        guard findings.errors == errorsBefore else {
            return PayloadSection(payload: nil, texts: texts)
        }
        let content: PayloadContent? =
            if let file {
                .file(file)
            } else {
                text.map { .text($0.template) } ?? url.map { .url($0.template) }
            }
        return PayloadSection(
            payload: Payload(
                message: message?.template, type: type?.template, content: content,
                isMessagePrivate: isPrivate?.value ?? !(message?.template.variables ?? []).isEmpty,
                expiresAfter: life?.value ?? Self.standardLife),
            texts: texts)
    }

    /// The keys that a bare text is meant as.
    private static func form(_ node: YAMLNode, kind: CampaignKind?) -> DiagnosticMessage? {
        guard let text = RightForm.text(of: node) else { return nil }
        let value = RightForm.quoted(text)
        return switch kind {
        case .secure: "{ text: \(value) }"
        case .rich: "{ message: \(value), type: text, text: … }"
        case .alert, nil: "{ message: \(value) }"
        }
    }

    /// Which keys each kind needs and takes (contract, sections 3 and 4).
    private mutating func checkKeys(of payload: MappingReader, kind: CampaignKind) {
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
        findings.require(needed, of: payload, root: payload.keyRange)
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

    private mutating func checkType(_ type: LocatedTemplate) {
        let sample = type.sample
        guard sample.count <= 64, !sample.contains(where: \.isWhitespace) else {
            findings.error(
                .unknownValue, at: type.range, "\"payload.type\" is no single word.",
                help: "Write a word such as img, url, text or sound, of at most 64 characters.")
            return
        }
    }

    /// A toast is XML, which cannot hold every character.
    private mutating func checkXML(_ message: LocatedTemplate) {
        let text = message.scalar.value.text
        let bad = text.unicodeScalars.enumerated().first {
            !XMLText.canHold($0.element)
        }
        guard let bad else { return }
        findings.error(
            .unwritableCharacter,
            at: message.places.range(ofCharacters: bad.offset..<(bad.offset + 1), in: text),
            "The message has the character \(VisibleText.codePoint(bad.element)), which a toast on wns cannot carry.",
            help: "Delete it.")
    }
}

/// The key `payload`, read.
struct PayloadSection {
    /// nil when it is not good.
    let payload: Payload?
    /// All of its texts that could have variables, in order.
    let texts: [LocatedTemplate]
}

/// The key `payload.file`.
extension CampaignDecoder {
    /// The most bytes of a payload file: it is stored, and phones fetch it over mobile networks.
    private static let largestPayload = 4 << 20

    /// Reads the payload file.
    private mutating func payloadFile(_ payload: MappingReader, kind: CampaignKind?) -> PayloadFile?
    {
        guard let path = findings.text("file", of: payload)?.map(\.text) else { return nil }
        let bytes: [UInt8]
        do throws(FileReferenceFault) {
            bytes = try files.contents(of: path.value, limit: Self.largestPayload)
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
                "The payload file \"\(path: path.value)\" is no UTF-8 text: its byte \(bad + 1) cannot stand there.",
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
