package import CampaignCore
import Crypto
package import FoundationEssentials

/// Recognises names that must not stand in the store, by a hash that nobody can compute without the key.
///
/// The key has a file of its own, so that a preview can read it, which runs no command to get at a secret.
package struct NameHash {
    /// What the name of the key's file has behind the store's.
    package static let fileEnding = ".forgotten.key"

    private let key: SymmetricKey

    /// - Parameter key: the store's, for names.
    package init(_ key: PayloadKey) {
        self.key = key.secret
    }

    /// The hash of a name.
    package func hash(_ name: Username) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data(name.text.utf8), using: key))
    }
}
