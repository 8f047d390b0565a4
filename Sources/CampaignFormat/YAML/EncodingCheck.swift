import CampaignCore

/// Finds the first byte that some programs read differently.
///
/// The refused characters are those that YAML 1.2 forbids (section 5.1) and the line separators of
/// YAML 1.1.
struct EncodingCheck {
    private let source: SourceText
    private var bytes: [UInt8] { source.bytes }

    init(_ source: SourceText) {
        self.source = source
    }

    func firstInvalid() -> YAMLError? {
        if let problem = otherEncoding() { return problem }
        // Nearly all bytes take this path, so it must be fast.
        let bytes = bytes
        var offset = source.contentStart
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte >= 0x20 && byte < 0x7F || byte.isWhitespace {
                offset += 1
                continue
            }
            guard let scalar = scalar(at: offset) else { return notUTF8(at: offset) }
            guard Self.isAllowed(scalar) else { return forbidden(scalar, at: offset) }
            offset += scalar.utf8.count
        }
        return nil
    }

    private func otherEncoding() -> YAMLError? {
        guard bytes.count >= 2 else { return nil }
        let (first, second) = (bytes[0], bytes[1])
        let hasMark = (first, second) == (0xFF, 0xFE) || (first, second) == (0xFE, 0xFF)
        guard hasMark || (first == 0) != (second == 0) else { return nil }
        return YAMLError(
            .encoding, "The file is not UTF-8; it starts like UTF-16 or UTF-32.",
            at: source.range(ofBytes: 0..<1), help: Self.saveAsUTF8)
    }

    private func notUTF8(at offset: Int) -> YAMLError {
        let value = String(bytes[offset], radix: 16, uppercase: true)
        return YAMLError(
            .encoding, "The file is not UTF-8: byte 0x\(value) is not valid here.",
            at: source.range(ofBytes: offset..<offset + 1), help: Self.saveAsUTF8)
    }

    private func forbidden(_ scalar: Unicode.Scalar, at offset: Int) -> YAMLError {
        let name = VisibleText.codePoint(scalar)
        let range = source.range(ofBytes: offset..<offset + scalar.utf8.count)
        switch scalar.value {
        case 0x85, 0x2028, 0x2029:
            return YAMLError(
                .invalidCharacter, "The invisible line separator \(name) is not allowed.",
                at: range,
                help:
                    "Delete it, or insert a line break; it often comes with text pasted from a document."
            )
        case 0xFEFF:
            return YAMLError(
                .invalidCharacter,
                "The invisible byte order mark \(name) is allowed only at the start of the file.",
                at: range, help: "Delete it; it often appears where files were joined.")
        case 0xFFFE, 0xFFFF:
            return YAMLError(
                .invalidCharacter, "\(name) is not a character.", at: range, help: "Delete it.")
        default:
            return YAMLError(
                .invalidCharacter, "The control character \(name) is not allowed.", at: range,
                help: "Delete it; if it is intended, write it as an escape in double quotes.")
        }
    }

    private static let saveAsUTF8 =
        "Save the file as UTF-8; most text editors let you choose the encoding."

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    private func scalar(at offset: Int) -> Unicode.Scalar? {
        var rest = bytes[offset...].makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        guard case .valid(let scalar) = parser.parseScalar(from: &rest) else { return nil }
        return Unicode.UTF8.decode(scalar)
    }
}
