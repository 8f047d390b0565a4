import CampaignCore
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct BasicCredentialsTests {
    private func problem(_ bytes: [UInt8]) -> CredentialsError? { problem(encoded: bytes.base64) }

    private func problem(encoded text: String) -> CredentialsError? {
        do throws(CredentialsError) {
            _ = try BasicCredentials(encoded: text[...])
            return nil
        } catch {
            return error
        }
    }

    @Test("A password may contain colons and any other characters")
    func passwordMayContainColonsAndAnyOtherCharacters() throws {
        let credentials = try BasicCredentials(
            encoded: Array("alice:pass:wörd 😀".utf8).base64[...])
        #expect(credentials.user.text == "alice")
        #expect(credentials.password == Array("pass:wörd 😀".utf8))
        #expect(!"\(credentials)".contains("wörd"))
    }

    @Test("Credentials without a valid name and password are refused")
    func credentialsWithoutAValidNameAndPasswordAreRefused() {
        #expect(problem(Array("alice".utf8)) == .noColon)
        #expect(problem(Array("al ice:secret".utf8)) == .noUsername)
        #expect(problem(Array(":secret".utf8)) == .noUsername)
        #expect(problem(Array("alice:sec\0ret".utf8)) == .notText)
        #expect(problem(Array("alice:".utf8) + [0xC3, 0x28]) == .notText)
        #expect(problem([]) == .noColon)
        #expect(problem(encoded: "%%%") == .notBase64)
        #expect(problem(encoded: "YWxpY2U6c2VjcmV0=") == .notBase64)
        #expect(problem(encoded: "YWxpY2 U6c2VjcmV0") == .notBase64)
        #expect(problem(encoded: String(repeating: "A", count: 1_028)) == .tooLong)
    }

    @Test("An Authorization field consists of a scheme, spaces and credentials")
    func authorizationFieldConsistsOfASchemeSpacesAndCredentials() throws {
        #expect(try AuthorizationField("bAsIc abc=") == .basic("abc="))
        #expect(try AuthorizationField("Bearer   a.b.c") == .bearer(Array("a.b.c".utf8)[...]))
        #expect(try AuthorizationField("Digest username=\"x\", a") == .other)
        for text in [
            "", " ", " Basic abc", "Basic", "Basic ", "Basic a b", "Bearer a\u{7F}", "Basic ä",
        ] {
            #expect(throws: CredentialsError.malformed) { try AuthorizationField(text) }
        }
    }
}
