package import CampaignCore
import Crypto
import FoundationEssentials

/// Encrypts notifications at rest: AES-256-GCM, with a key for each notification.
///
/// The key is derived from the master key and the id (HKDF-SHA256, RFC 5869), so that no two notifications share one; id and
/// recipient are authenticated along, so that a row that was moved to another place does not open.
package struct PayloadCipher: Sendable {
    /// How many bytes encryption adds to the texts and the content.
    package static let overhead = 1 + 12 + 16 + SealedParts.headLength

    private static let version: UInt8 = 1
    private static let salt = Array("hubsend payload".utf8)

    /// HMAC under the extracted key, begun: copying it saves a third of the work of each derivation.
    private let derivation: HMAC<SHA256>
    /// What a store keeps to recognise this key; the key cannot be derived from it.
    package let checkValue: [UInt8]

    /// - Parameter key: the master key.
    package init(_ key: PayloadKey) {
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
    package func seal(
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
    /// - Throws: ``DamagedValue`` when it is anything else.
    package func open(
        _ bytes: [UInt8], of id: NotificationID, for recipient: Username?
    ) throws -> SealedParts {
        guard bytes.first == Self.version else { throw DamagedValue() }
        let plain: Data
        do {
            plain = try AES.GCM.open(
                AES.GCM.SealedBox(combined: bytes.dropFirst()), using: key(of: id),
                authenticating: Self.context(id, recipient))
        } catch {
            throw DamagedValue()
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

    /// An id has a fixed length, so that no other pair gives the same bytes.
    private static func context(_ id: NotificationID, _ recipient: Username?) -> [UInt8] {
        Array(id.text.utf8) + Array((recipient?.text ?? "").utf8)
    }
}

/// The parts of a notification that are encrypted together.
package struct SealedParts: Hashable {
    package var type: String?
    package var message: String?
    /// ``NotificationTexts/bytes``; nil where there is nothing of them.
    package var texts: [UInt8]?
    /// nil where there is nothing to fetch, or it is a file that is not secret.
    package var content: [UInt8]?

    /// One byte says which parts there are; two lengths of four bytes each, highest first, say where they end, and a third one where
    /// there are texts.
    fileprivate static let headLength = 9
    private static let (hasType, hasMessage, hasContent): (UInt8, UInt8, UInt8) = (1, 2, 4)
    private static let hasTexts: UInt8 = 8

    package init(type: String?, message: String?, texts: [UInt8]? = nil, content: [UInt8]?) {
        self.type = type
        self.message = message
        self.texts = texts
        self.content = content
    }

    /// Takes apart what ``bytes`` put together.
    ///
    /// - Throws: ``DamagedValue`` for anything else.
    package init(_ bytes: [UInt8]) throws {
        guard bytes.count >= Self.headLength else { throw DamagedValue() }
        let flags = bytes[0]
        let hasTexts = flags & Self.hasTexts != 0
        let start = Self.headLength + (hasTexts ? 4 : 0)
        guard bytes.count >= start else { throw DamagedValue() }
        let typeEnd = start + Self.length(bytes[1..<5])
        let messageEnd = typeEnd + Self.length(bytes[5..<9])
        let textsEnd = messageEnd + (hasTexts ? Self.length(bytes[9..<13]) : 0)
        guard textsEnd <= bytes.count else { throw DamagedValue() }
        type =
            flags & Self.hasType == 0
            ? nil : String(decoding: bytes[start..<typeEnd], as: UTF8.self)
        message =
            flags & Self.hasMessage == 0
            ? nil : String(decoding: bytes[typeEnd..<messageEnd], as: UTF8.self)
        texts = hasTexts ? Array(bytes[messageEnd..<textsEnd]) : nil
        content = flags & Self.hasContent == 0 ? nil : Array(bytes[textsEnd...])
    }

    /// All parts, one behind the other.
    package var bytes: [UInt8] {
        let (type, message) = (type.map { Array($0.utf8) }, message.map { Array($0.utf8) })
        let lengths =
            [type?.count ?? 0, message?.count ?? 0] + (texts.map { [$0.count] } ?? [])
        var bytes: [UInt8] = [
            (type == nil ? 0 : Self.hasType) | (message == nil ? 0 : Self.hasMessage)
                | (content == nil ? 0 : Self.hasContent) | (texts == nil ? 0 : Self.hasTexts)
        ]
        bytes.reserveCapacity(
            Self.headLength + 4 + lengths.reduce(0, +) + (content?.count ?? 0))
        for length in lengths {
            bytes += stride(from: 24, through: 0, by: -8).map { shift in
                UInt8(truncatingIfNeeded: length >> shift)
            }
        }
        bytes += type ?? []
        bytes += message ?? []
        bytes += texts ?? []
        bytes += content ?? []
        return bytes
    }

    private static func length(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
