import CampaignCore
import YAMLSyntax

/// The key `payload.file`.
extension CampaignDecoder {
    /// The most bytes of a payload file: it is stored, and phones fetch it over mobile networks.
    private static let largestPayload = 4 << 20

    /// Reads the payload file.
    mutating func payloadFile(_ payload: MappingReader, kind: CampaignKind?) -> PayloadFile? {
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
