import CampaignCore
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct BasicCredentialsTests {
    private func fault(_ bytes: [UInt8]) -> CredentialsFault? { fault(encoded: bytes.base64) }

    private func fault(encoded text: String) -> CredentialsFault? {
        do throws(CredentialsFault) {
            _ = try BasicCredentials(encoded: text[...])
            return nil
        } catch {
            return error
        }
    }

    @Test func aPasswordMayHaveColonsAndBeAnyText() throws {
        let credentials = try BasicCredentials(
            encoded: Array("alice:pass:wörd 😀".utf8).base64[...])
        #expect(credentials.user.text == "alice")
        #expect(credentials.password == Array("pass:wörd 😀".utf8))
        #expect(!"\(credentials)".contains("wörd"))
    }

    @Test func whatIsNoNameAndPasswordIsRefused() {
        #expect(fault(Array("alice".utf8)) == .noColon)
        #expect(fault(Array("al ice:secret".utf8)) == .noUsername)
        #expect(fault(Array(":secret".utf8)) == .noUsername)
        #expect(fault(Array("alice:sec\0ret".utf8)) == .notText)
        #expect(fault(Array("alice:".utf8) + [0xC3, 0x28]) == .notText)
        #expect(fault([]) == .noColon)
        #expect(fault(encoded: "%%%") == .notBase64)
        #expect(fault(encoded: "YWxpY2U6c2VjcmV0=") == .notBase64)
        #expect(fault(encoded: "YWxpY2 U6c2VjcmV0") == .notBase64)
        #expect(fault(encoded: String(repeating: "A", count: 1_028)) == .tooLong)
    }

    @Test func aFieldIsASchemeASpaceAndAText() throws {
        #expect(try AuthorizationField("bAsIc abc=") == .basic("abc="))
        #expect(try AuthorizationField("Bearer   a.b.c") == .bearer(Array("a.b.c".utf8)[...]))
        #expect(try AuthorizationField("Digest username=\"x\", a") == .other)
        for text in [
            "", " ", " Basic abc", "Basic", "Basic ", "Basic a b", "Bearer a\u{7F}", "Basic ä",
        ] {
            #expect(throws: CredentialsFault.malformed) { try AuthorizationField(text) }
        }
    }
}
