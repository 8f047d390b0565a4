package import CampaignCore
import Crypto
import FoundationEssentials

/// Encrypts notifications at rest: AES-256-GCM, with a key for each notification.
///
/// The key is derived from the master key and the id (HKDF-SHA256, RFC 5869). The id and the
/// recipient are authenticated, so that a row moved elsewhere cannot be decrypted. During a key
/// change there are several master keys: the first key encrypts, and every key decrypts the values
/// that it encrypted.
package struct PayloadCipher: Sendable {
    /// The number of bytes that encryption adds to texts and content.
    package static let overhead = 1 + 12 + 16 + SealedParts.headLength
    /// The number of additional bytes that identify the key.
    package static let keyIDLength = 4
    /// Marks values that identify their key; other values have the store's only key or the previous
    /// key.
    package static let namedVersion: UInt8 = 2

    private static let version: UInt8 = 1

    /// How many bytes encryption has added to `n.sealed`, as SQL with a parameter that is bound to
    /// ``namedVersion``.
    package static func addedBytes(named version: String) -> String {
        "(\(overhead) + CASE WHEN substr(n.sealed, 1, 1) = \(version) THEN \(keyIDLength) ELSE 0 END)"
    }

    private let keys: [MasterKey]
    /// Whether values identify their key; with a single key they do not, so that earlier versions
    /// can read them.
    private var isNamed = false
    /// Thrown for a value whose key is not available.
    private var unknownKey: (any Error)?
    /// Whether the first key is recorded in the store.
    package private(set) var isFirstKnown = true
    /// Whether the store may contain values encrypted with keys other than the first.
    package private(set) var hasEarlier = false

    package init(_ key: PayloadKey) {
        keys = [MasterKey(key)]
    }

    /// nil if one of the store's keys is not available.
    init?(_ keys: [PayloadKey], of checkValues: [UInt8], unknownKey: any Error) {
        let masters = keys.map(MasterKey.init)
        let known = Self.split(checkValues)
        guard let first = masters.first, !known.isEmpty,
            known.allSatisfy({ value in masters.contains { $0.checkValue == value } })
        else { return nil }
        self.keys = masters
        isFirstKnown = known.contains(first.checkValue)
        hasEarlier = known != [first.checkValue]
        isNamed = keys.count > 1 || hasEarlier
        self.unknownKey = unknownKey
    }

    /// The value by which a store recognises the first key; the key cannot be derived from it.
    package var checkValue: [UInt8] { keys[0].checkValue }

    /// The check values that a store keeps during re-encryption with the first key; the first key's
    /// value is the last.
    package func leading(_ checkValues: [UInt8]) -> [UInt8] {
        Self.split(checkValues).filter { $0 != checkValue }.flatMap(\.self) + checkValue
    }

    /// Whether the stored check values show that no other process is re-encrypting with another
    /// key.
    package func isLeading(_ checkValues: [UInt8]?) -> Bool {
        checkValues?.suffix(SHA256.byteCount).elementsEqual(checkValue) == true
    }

    /// The first bytes of values that identify the first key.
    package var namedHead: [UInt8] { [Self.namedVersion] + keys[0].id }

    /// Encrypts the secret parts of a notification; the recipient is nil if all recipients share
    /// it.
    package func seal(
        _ parts: SealedParts, of id: NotificationID, for recipient: Username?
    ) throws -> [UInt8] {
        let box = try AES.GCM.seal(
            parts.bytes, using: keys[0].key(of: id), authenticating: Self.context(id, recipient))
        var bytes = isNamed ? namedHead : [Self.version]
        bytes.reserveCapacity(bytes.count + 12 + box.ciphertext.count + 16)
        bytes += box.nonce
        bytes += box.ciphertext
        bytes += box.tag
        return bytes
    }

    /// Decrypts the result of ``seal(_:of:for:)``; throws ``DamagedValue``, or
    /// `StoreError.wrongPayloadKey` if the key differs.
    package func open(
        _ bytes: [UInt8], of id: NotificationID, for recipient: Username?
    ) throws -> SealedParts {
        let candidates: [MasterKey]
        let box: ArraySlice<UInt8>
        switch bytes.first {
        case Self.version:
            (candidates, box) = (keys, bytes.dropFirst())
        case Self.namedVersion:
            let named = bytes.dropFirst().prefix(Self.keyIDLength)
            candidates = keys.filter { $0.id.elementsEqual(named) }
            guard !candidates.isEmpty else { throw unknownKey ?? DamagedValue() }
            box = bytes.dropFirst(1 + Self.keyIDLength)
        default:
            throw DamagedValue()
        }
        for key in candidates {
            do {
                let plain = try AES.GCM.open(
                    AES.GCM.SealedBox(combined: box), using: key.key(of: id),
                    authenticating: Self.context(id, recipient))
                return try SealedParts(Array(plain))
            } catch is CryptoKitError {
                // The value has another key, or it is damaged.
                continue
            }
        }
        throw DamagedValue()
    }

    private static func split(_ checkValues: [UInt8]) -> [[UInt8]] {
        guard checkValues.count.isMultiple(of: SHA256.byteCount) else { return [] }
        return stride(from: 0, to: checkValues.count, by: SHA256.byteCount).map {
            Array(checkValues[$0..<$0 + SHA256.byteCount])
        }
    }

    /// The id has a fixed length, so no two pairs give the same bytes.
    private static func context(_ id: NotificationID, _ recipient: Username?) -> [UInt8] {
        Array(id.text.utf8) + Array((recipient?.text ?? "").utf8)
    }
}

private struct MasterKey: Sendable {
    private static let salt = Array("hubsend payload".utf8)

    /// HMAC with the extracted key; copying this state saves a third of each derivation.
    private let derivation: HMAC<SHA256>
    let checkValue: [UInt8]

    init(_ key: PayloadKey) {
        let extracted = HKDF<SHA256>.extract(inputKeyMaterial: key.secret, salt: Self.salt)
        let derivation = HMAC<SHA256>(key: SymmetricKey(data: extracted))
        self.derivation = derivation
        checkValue = Array(Self.expand(derivation, "check"))
    }

    /// Distinguishes a store's few keys without revealing anything about them.
    var id: ArraySlice<UInt8> { checkValue.prefix(PayloadCipher.keyIDLength) }

    func key(of id: NotificationID) -> SymmetricKey {
        SymmetricKey(data: Self.expand(derivation, "notification " + id.text))
    }

    /// HKDF's expansion to the length of one digest (RFC 5869, section 2.3).
    private static func expand(
        _ derivation: HMAC<SHA256>, _ purpose: String
    ) -> HashedAuthenticationCode<SHA256> {
        var code = derivation
        code.update(data: Array(purpose.utf8) + [1])
        return code.finalize()
    }
}

package struct SealedParts: Hashable {
    package var type: String?
    package var message: String?
    /// See ``NotificationTexts/bytes``.
    package var texts: [UInt8]?
    /// nil if there is nothing to fetch, or for a file that is not secret.
    package var content: [UInt8]?

    /// The first byte says which parts exist; it is followed by two or, with texts, three
    /// big-endian lengths of four bytes.
    fileprivate static let headLength = 9
    private static let (hasType, hasMessage, hasContent): (UInt8, UInt8, UInt8) = (1, 2, 4)
    private static let hasTexts: UInt8 = 8
}

extension SealedParts {
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
