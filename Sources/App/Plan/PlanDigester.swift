import CampaignCore
import Crypto
import FoundationEssentials

/// Makes the digests of one plan: SHA-256, keyed with the plan's salt (RFC 2104).
struct PlanDigester {
    /// The number of hex digits of a line's digest, which is enough to tell lines apart.
    private static let lineDigits = 16
    /// The length in bytes above which text is not divided into lines.
    private static let longestText = 1 << 20
    private static let mostLines = 2_000

    private let key: SymmetricKey

    init(salt: [UInt8]) {
        key = SymmetricKey(data: salt)
    }

    static func salt() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<SavedPlan.saltLength).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
    }

    /// Hashes keys line by line; equal lines of two keys have different digests.
    func digest(_ texts: [KeyText]) -> [DigestedKey] {
        texts.map { text in
            DigestedKey(
                key: text.key, lines: text.lines.map { line(Array($0.utf8)[...], of: text.key) })
        }
    }

    /// Hashes the payload's file, line by line if it is text.
    func digest(_ file: PayloadFile) -> DigestedFile {
        let isText = file.mediaType.hasPrefix("text/") || file.mediaType.hasSuffix("json")
        let lines =
            isText && file.bytes.count <= Self.longestText
            ? file.bytes.split(
                separator: UInt8(ascii: "\n"), maxSplits: Self.mostLines - 1,
                omittingEmptySubsequences: false
            ).map { line($0, of: file.path) } : []
        var code = HMAC<SHA256>(key: key)
        code.update(data: Data(file.bytes))
        return DigestedFile(
            path: file.path, mediaType: file.mediaType, byteCount: file.bytes.count,
            digest: Hexadecimal.text(code.finalize()), lines: lines)
    }

    private func line(_ line: ArraySlice<UInt8>, of key: String) -> String {
        var code = HMAC<SHA256>(key: self.key)
        // Text cannot contain this byte, so it separates the key and the line unambiguously.
        code.update(data: Data(Array(key.utf8) + [0xFF] + line))
        return String(Hexadecimal.text(code.finalize()).prefix(Self.lineDigits))
    }

    func beginStream() -> HMAC<SHA256> { HMAC<SHA256>(key: key) }
}
