import CampaignCore
import Crypto
import FoundationEssentials

/// The master key that encrypts payloads; it is never shown.
package struct PayloadKey: Sendable {
    static let byteCount = 32

    /// There is more than one key only during a key change.
    static let most = 8

    let secret: SymmetricKey

    /// Reads one to eight keys, separated by white space: the first key encrypts, and every key
    /// decrypts the values that it encrypted.
    package static func all(in text: String) -> [PayloadKey]? {
        let words = text.split(whereSeparator: \.isWhitespace)
        let keys = words.compactMap { PayloadKey(String($0)) }
        return (1...most).contains(keys.count) && keys.count == words.count ? keys : nil
    }

    /// Reads 32 bytes in base64 or 64 hexadecimal digits, ignoring white space around them.
    package init?(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map { String($0) }
        // 64 hexadecimal digits would also be valid base64 for 48 bytes.
        guard words.count == 1,
            let bytes = Hexadecimal.bytes(words[0])
                ?? Data(base64Encoded: words[0]).map(Array.init),
            bytes.count == Self.byteCount
        else { return nil }
        secret = SymmetricKey(data: bytes)
    }

    private init(secret: SymmetricKey) {
        self.secret = secret
    }

    package static func random() -> PayloadKey {
        PayloadKey(secret: SymmetricKey(size: .bits256))
    }

    /// The key in base64, only for its file.
    var encoded: String {
        unsafe secret.withUnsafeBytes { bytes in unsafe Data(bytes).base64EncodedString() }
    }
}

extension PayloadKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<payload key>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
