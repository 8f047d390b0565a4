import CampaignCore
import Crypto
import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite(.bounded) struct PayloadKeyTests {
    private static let bytes = [UInt8](0..<32)
    private static let base64 = Data(bytes).base64EncodedString()
    private static let hexadecimal = Hexadecimal.text(bytes)

    @Test(
        "A key can be base64 or hexadecimal",
        arguments: [
            base64, hexadecimal, hexadecimal.uppercased(), base64 + "\n", " \t\(hexadecimal)\r\n",
        ])
    func keyCanBeBase64OrHexadecimal(text: String) throws {
        let key = try #require(PayloadKey(text))
        #expect(key.encoded == Self.base64)
    }

    @Test(
        "Text in any other form is refused as a key",
        arguments: [
            "", " ", "secret", String(base64.dropLast(4)), base64 + "AAAA", base64 + " " + base64,
            String(hexadecimal.dropLast(2)), hexadecimal + "00", "zz" + hexadecimal.dropFirst(2),
            "\u{10}\u{11}" + hexadecimal.dropFirst(2),
        ])
    func textInAnyOtherFormIsRefusedAsAKey(text: String) {
        #expect(PayloadKey(text) == nil)
    }

    @Test("Several keys are separated by white space")
    func severalKeysAreSeparatedByWhiteSpace() throws {
        let texts = (0..<8).map { "\($0)" + String(repeating: "ab", count: 31) + "c" }
        #expect(PayloadKey.all(in: " \(texts[0])\n\(texts[1])\n")?.count == 2)
        #expect(PayloadKey.all(in: texts.joined(separator: " "))?.count == 8)
        let many = (texts + [texts[0]]).joined(separator: "\n")
        for text in ["", " \n", "\(texts[0]) no", "no \(texts[0])", many] {
            #expect(PayloadKey.all(in: text) == nil)
        }
    }

    @Test("A key is never printed") func keyIsNeverPrinted() throws {
        let key = try #require(PayloadKey(Self.base64))
        var dumped = ""
        dump(key, to: &dumped)
        dump(PayloadKeySource.given(key), to: &dumped)
        let texts = [
            "\(key)", String(reflecting: key),
            String(describing: StoreOptions(payloadKey: .given(key))),
            dumped,
        ]
        for text in texts {
            #expect(!text.contains(Self.base64))
            #expect(!text.contains("SymmetricKey"))
            #expect(!text.contains("0, 1, 2"))
        }
    }

    @Test("New keys differ from each other") func newKeysDifferFromEachOther() {
        #expect(PayloadKey.random().encoded != PayloadKey.random().encoded)
    }
}
