import CampaignCore
import Foundation
import Storage
import TestSupport
import Testing

@Suite(.bounded) struct NameHashTests {
    private static let alice = Username(checked: "alice")

    @Test("A decrypted name key recognises the same names")
    func decryptedNameKeyRecognisesTheSameNames() throws {
        let (key, hash) = (PayloadKey.random(), NameHash(.random()))
        let sealed = try hash.sealed(under: key)
        let opened = try NameHash(sealed: sealed, under: key)
        #expect(opened.hash(Self.alice) == hash.hash(Self.alice))
        #expect(try hash.sealed(under: key) != sealed)
    }

    @Test("A name key cannot be decrypted with a different payload key")
    func nameKeyCannotBeDecryptedWithADifferentPayloadKey() throws {
        let sealed = try NameHash(.random()).sealed(under: .random())
        #expect(throws: DamagedValue.self) {
            _ = try NameHash(sealed: sealed, under: .random())
        }
        #expect(throws: DamagedValue.self) {
            _ = try NameHash(sealed: [1, 2, 3], under: .random())
        }
    }
}
