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

    /// The hash of a name.
    package func hash(_ name: Username) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data(name.text.utf8), using: key))
    }
}
