import Crypto
import FoundationEssentials

/// The master key that payloads are encrypted under; never shown.
package struct PayloadKey: Sendable {
    /// How many bytes a key has.
    static let byteCount = 32

    let secret: SymmetricKey

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
    static func random() -> PayloadKey {
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
