package import CampaignCore
import Crypto
package import FoundationEssentials

/// Recognises names that must not stand in the store, by a hash that nobody can compute without the key.
///
/// Of a store in a file the key has a file of its own, so that a preview can read it, which runs no command to get at a secret. Of a
/// store on a server it is derived from the key of the payloads, which all hosts have.
package struct NameHash {
    /// What the name of the key's file has behind the store's.
    package static let fileEnding = ".forgotten.key"

    private static let salt = Data("hubsend forgotten".utf8)
    private static let wrapping = Data("earlier key".utf8)

    private let key: SymmetricKey

    /// - Parameter key: the store's, for names.
    package init(_ key: PayloadKey) {
        self.key = key.secret
    }

    /// - Parameter key: that of the store's payloads, from which the one for names is derived (HKDF-SHA256, RFC 5869).
    package init(derivedFrom key: PayloadKey) {
        self.key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key.secret, salt: Self.salt, info: Data(),
            outputByteCount: PayloadKey.byteCount)
    }

    /// Reads a key back that ``sealed(under:)`` has encrypted.
    ///
    /// - Throws: ``DamagedValue`` for anything else, and for another key.
    package init(sealed bytes: [UInt8], under key: PayloadKey) throws(DamagedValue) {
        guard
            let box = try? AES.GCM.SealedBox(combined: bytes),
            let plain = try? AES.GCM.open(box, using: Self.wrappingKey(key)),
            plain.count == PayloadKey.byteCount
        else { throw DamagedValue() }
        self.key = SymmetricKey(data: plain)
    }

    /// The key, encrypted under that of a store's payloads (AES-256-GCM).
    ///
    /// - Throws: `CryptoKitError` when the system has no randomness.
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

    /// The hash of a name.
    package func hash(_ name: Username) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data(name.text.utf8), using: key))
    }
}
