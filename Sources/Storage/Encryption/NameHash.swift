package import CampaignCore
import Crypto
package import FoundationEssentials

/// Recognises forgotten names by a hash that nobody can compute without the key.
///
/// For a store in a file, the key is in a separate file, so that a preview need not run the command
/// that provides a secret. For a store on a server, the key is derived from the payload key, which
/// all hosts have.
package struct NameHash {
    package static let fileEnding = ".forgotten.key"

    private static let salt = Data("hubsend forgotten".utf8)
    private static let wrapping = Data("earlier key".utf8)

    private let key: SymmetricKey

    package init(_ key: PayloadKey) {
        self.key = key.secret
    }

    /// HKDF-SHA256, RFC 5869.
    package init(derivedFrom key: PayloadKey) {
        self.key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key.secret, salt: Self.salt, info: Data(),
            outputByteCount: PayloadKey.byteCount)
    }

    package init(sealed bytes: [UInt8], under key: PayloadKey) throws(DamagedValue) {
        guard
            let box = try? AES.GCM.SealedBox(combined: bytes),
            let plain = try? AES.GCM.open(box, using: Self.wrappingKey(key)),
            plain.count == PayloadKey.byteCount
        else { throw DamagedValue() }
        self.key = SymmetricKey(data: plain)
    }

    /// The key, encrypted with the store's payload key (AES-256-GCM).
    package func sealed(under key: PayloadKey) throws -> [UInt8] {
        let plain = unsafe self.key.withUnsafeBytes { bytes in unsafe Data(bytes) }
        let box = try AES.GCM.seal(plain, using: Self.wrappingKey(key))
        return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    private static func wrappingKey(_ key: PayloadKey) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key.secret, salt: salt, info: wrapping,
            outputByteCount: PayloadKey.byteCount)
    }

    package func hash(_ name: Username) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data(name.text.utf8), using: key))
    }
}
