import CampaignCore
import Crypto
import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite(.bounded) struct PayloadCipherTests {
    private let cipher: PayloadCipher
    private let key: PayloadKey
    private let id = NotificationID(checked: String(repeating: "b", count: 26))
    private let alice = Username(checked: "alice")
    private let parts = SealedParts(type: "url", message: "Grüße", content: [0, 1, 255])

    init() throws {
        key = try #require(PayloadKey(String(repeating: "ab", count: 32)))
        cipher = PayloadCipher(key)
    }

    @Test(
        "Encrypted payloads can be decrypted",
        arguments: [
            SealedParts(type: "url", message: "Grüße", content: [0, 1, 255]),
            SealedParts(type: nil, message: nil, content: nil),
            SealedParts(type: "", message: "", content: []),
            SealedParts(type: "url", message: nil, texts: [1, 2, 3], content: [4]),
            SealedParts(type: nil, message: "Grüße", texts: [], content: nil),
            SealedParts(type: nil, message: String(repeating: "x", count: 70_000), content: nil),
        ])
    func encryptedPayloadsCanBeDecrypted(parts: SealedParts) throws {
        let sealed = try cipher.seal(parts, of: id, for: alice)
        #expect(try cipher.open(sealed, of: id, for: alice) == parts)
    }

    @Test("The first of several keys encrypts, and its number is stored")
    func firstOfSeveralKeysEncryptsAndItsNumberIsStored() throws {
        let new = PayloadKey.random()
        let values = [key, new].map { PayloadCipher($0).checkValue }
        struct Unknown: Error {}
        func cipher(_ keys: PayloadKey..., of values: [UInt8]) throws -> PayloadCipher {
            guard let cipher = PayloadCipher(keys, of: values, unknownKey: Unknown()) else {
                throw Unknown()
            }
            return cipher
        }
        let both = try cipher(new, key, of: values[0] + values[1])
        let sealed = try both.seal(parts, of: id, for: alice)
        #expect(sealed.starts(with: [2] + values[1].prefix(4)))
        #expect(both.hasEarlier)
        #expect(try both.open(sealed, of: id, for: alice) == parts)
        // A payload encrypted when there was only one key is tried with each key.
        let old = try self.cipher.seal(parts, of: id, for: alice)
        #expect(old.first == 1)
        #expect(old.count == sealed.count - PayloadCipher.keyIDLength)
        #expect(try both.open(old, of: id, for: alice) == parts)
        #expect(try cipher(key, of: values[0]).seal(parts, of: id, for: alice).first == 1)
        #expect(try !cipher(key, of: values[0]).hasEarlier)
        #expect(throws: Unknown.self) {
            try cipher(key, of: values[0]).open(sealed, of: id, for: alice)
        }
        #expect(throws: DamagedValue.self) {
            try both.open([UInt8](sealed.prefix(5)) + [0, 0, 0], of: id, for: alice)
        }
        for wrong in [values[1], values[0] + values[1], [], Array(values[0].dropLast())] {
            #expect(PayloadCipher([key], of: wrong, unknownKey: Unknown()) == nil)
        }
    }

    @Test("Encrypting the same payload twice gives different bytes")
    func encryptingTheSamePayloadTwiceGivesDifferentBytes() throws {
        let twice = try (0..<2).map { _ in try cipher.seal(parts, of: id, for: alice) }
        #expect(twice[0] != twice[1])
    }

    @Test("A payload cannot be decrypted with another ID or for another person")
    func payloadCannotBeDecryptedWithAnotherIDOrForAnotherPerson() throws {
        let sealed = try cipher.seal(parts, of: id, for: alice)
        for name in [nil, Username(checked: "alic"), Username(checked: "bob")] {
            #expect(throws: DamagedValue.self) { try cipher.open(sealed, of: id, for: name) }
        }
        #expect(throws: DamagedValue.self) {
            try cipher.open(sealed, of: .placeholder, for: alice)
        }
    }

    @Test("A payload with a changed byte cannot be decrypted")
    func payloadWithAChangedByteCannotBeDecrypted() throws {
        let sealed = try cipher.seal(parts, of: id, for: alice)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: DamagedValue.self) { try cipher.open(changed, of: id, for: alice) }
        }
        for count in 0..<sealed.count {
            #expect(throws: DamagedValue.self) {
                try cipher.open(Array(sealed.prefix(count)), of: id, for: alice)
            }
        }
    }

    /// The key of a notification is what HKDF-SHA256 derives from its ID.
    @Test("Keys are derived as the standard requires")
    func keysAreDerivedAsTheStandardRequires() throws {
        let sealed = try cipher.seal(parts, of: id, for: alice)
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key.secret, salt: Data("hubsend payload".utf8),
            info: Data("notification \(id)".utf8), outputByteCount: 32)
        let plain = try AES.GCM.open(
            AES.GCM.SealedBox(combined: sealed.dropFirst()), using: derived,
            authenticating: Data("\(id)alice".utf8))
        #expect(Array(plain) == parts.bytes)
    }

    @Test("The check value distinguishes keys") func checkValueDistinguishesKeys() {
        #expect(cipher.checkValue == PayloadCipher(key).checkValue)
        #expect(cipher.checkValue != PayloadCipher(.random()).checkValue)
    }

    @Test(
        "Malformed decrypted parts are reported as damage",
        arguments: [
            [], [7, 0, 0, 0], [1, 0, 0, 0, 9, 0, 0, 0, 0, 65],
            [3, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 65],
        ])
    func malformedDecryptedPartsAreReportedAsDamage(bytes: [UInt8]) {
        #expect(throws: DamagedValue.self) { try SealedParts(bytes) }
    }
}
