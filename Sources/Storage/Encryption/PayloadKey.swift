import Crypto
import FoundationEssentials

/// The master key that payloads are encrypted under; never shown.
package struct PayloadKey: Sendable {
    /// How many bytes a key has.
    static let byteCount = 32

    /// The most keys at once: more than one only while keys are exchanged.
    static let most = 8

    let secret: SymmetricKey

    /// Reads the keys of a store, with white space between them: the first encrypts, each decrypts what it encrypted.
    ///
    /// - Parameter text: what a variable or a file holds.
    /// - Returns: nil for anything else than one to eight keys.
    package static func all(in text: String) -> [PayloadKey]? {
        let words = text.split(whereSeparator: \.isWhitespace)
        let keys = words.compactMap { PayloadKey(String($0)) }
        return (1...most).contains(keys.count) && keys.count == words.count ? keys : nil
    }

    /// Reads a key: 32 bytes in base64, or 64 hexadecimal digits; nil for anything else.
    ///
    /// - Parameter text: what a variable or a file holds; white space around it does not count.
    package init?(_ text: String) {
        let bare = text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
        guard text.drop(while: \.isWhitespace).dropFirst(bare.count).allSatisfy(\.isWhitespace)
        else { return nil }
        // 64 hexadecimal digits are base64 too, of 48 bytes.
        guard
            let bytes = Hexadecimal.bytes(String(bare))
                ?? Data(base64Encoded: String(bare)).map(Array.init),
            bytes.count == Self.byteCount
        else { return nil }
        secret = SymmetricKey(data: bytes)
    }

    private init(secret: SymmetricKey) {
        self.secret = secret
    }

    /// Draws a new key from the system's generator.
    package static func random() -> PayloadKey {
        PayloadKey(secret: SymmetricKey(size: .bits256))
    }

    /// The key in base64, for its file and nothing else.
    var encoded: String {
        unsafe secret.withUnsafeBytes { bytes in unsafe Data(bytes).base64EncodedString() }
    }
}

extension PayloadKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<payload key>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Bytes as lower-case hexadecimal digits.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Two digits a byte.
    package static func text(_ bytes: [UInt8]) -> String {
        String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Reads digits of either case, two a byte; nil for anything else.
    package static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.lowercased().utf8.map { digit in
            Self.digits.firstIndex(of: digit).map { UInt8($0) }
        }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
