import CampaignCore
import Crypto
import FoundationEssentials
import GRDB

/// Encrypts notifications at rest: AES-256-GCM under a key of each one's own.
///
/// The key is derived from the master key and the id (HKDF-SHA256, RFC 5869), so that no two notifications share one; id and
/// recipient are authenticated along, so that a row that was moved to another place does not open.
struct PayloadCipher: Sendable {
    /// By how many bytes what is encrypted is longer than the texts and the content in it.
    static let overhead = 1 + 12 + 16 + SealedParts.headLength

    private static let version: UInt8 = 1
    private static let salt = Array("hubsend payload".utf8)

    /// HMAC under the extracted key, begun: copying it saves a third of the work of each derivation.
    private let derivation: HMAC<SHA256>
    /// What a store keeps to know this key again; the key cannot be told from it.
    let checkValue: [UInt8]

    /// - Parameter key: the master key.
    init(_ key: PayloadKey) {
        let extracted = HKDF<SHA256>.extract(inputKeyMaterial: key.secret, salt: Self.salt)
        let derivation = HMAC<SHA256>(key: SymmetricKey(data: extracted))
        self.derivation = derivation
        checkValue = Array(Self.expand(derivation, "check"))
    }

    /// Encrypts what is secret about a notification.
    ///
    /// - Parameters:
    ///   - parts: the secret.
    ///   - id: the notification's id.
    ///   - recipient: the one person it was rendered for; nil: the run's recipients share it.
    /// - Returns: a version, then nonce, text and tag.
    /// - Throws: `CryptoKitError` when the system has no randomness.
    func seal(
        _ parts: SealedParts, of id: NotificationID, for recipient: Username?
    ) throws -> [UInt8] {
        let box = try AES.GCM.seal(
            parts.bytes, using: key(of: id), authenticating: Self.context(id, recipient))
        var bytes = [Self.version]
        bytes.reserveCapacity(1 + 12 + box.ciphertext.count + 16)
        bytes += box.nonce
        bytes += box.ciphertext
        bytes += box.tag
        return bytes
    }

    /// Decrypts what ``seal(_:of:for:)`` made for the same notification and person.
    ///
    /// - Throws: `DatabaseError.damaged` when it is anything else.
    func open(
        _ bytes: [UInt8], of id: NotificationID, for recipient: Username?
    ) throws -> SealedParts {
        guard bytes.first == Self.version else { throw DatabaseError.damaged }
        let plain: Data
        do {
            plain = try AES.GCM.open(
                AES.GCM.SealedBox(combined: bytes.dropFirst()), using: key(of: id),
                authenticating: Self.context(id, recipient))
        } catch {
            throw DatabaseError.damaged
        }
        return try SealedParts(Array(plain))
    }

    private func key(of id: NotificationID) -> SymmetricKey {
        SymmetricKey(data: Self.expand(derivation, "notification " + id.text))
    }

    /// HKDF's second step for as many bytes as one digest has (RFC 5869, section 2.3).
    private static func expand(
        _ derivation: HMAC<SHA256>, _ purpose: String
    ) -> HashedAuthenticationCode<SHA256> {
        var code = derivation
        code.update(data: Array(purpose.utf8) + [1])
        return code.finalize()
    }

    /// An id has a fixed length, so that the two cannot be parted otherwise.
    private static func context(_ id: NotificationID, _ recipient: Username?) -> [UInt8] {
        Array(id.text.utf8) + Array((recipient?.text ?? "").utf8)
    }
}
