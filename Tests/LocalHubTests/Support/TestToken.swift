import Crypto
import Foundation

@testable import LocalHub

/// Signs tokens independently, so that the hub is not tested against its own code.
enum TestToken {
    /// The value of `Authorization`, for an unencoded address and an expiry in seconds since 1970.
    static func make(
        _ rule: LocalHubRule, audience: String = "http://localhost",
        expiry: Int = Int(HubUnderTest.now.timeIntervalSince1970) + 3_600
    ) -> String {
        let encoded = encode(audience)
        let signature = HMAC<SHA256>.authenticationCode(
            for: Data("\(encoded)\n\(expiry)".utf8), using: SymmetricKey(data: Data(rule.key.utf8)))
        let base64 = encode(Data(signature).base64EncodedString())
        return "SharedAccessSignature sr=\(encoded)&sig=\(base64)&se=\(expiry)&skn=\(rule.name)"
    }

    private static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            return character.isLetter || character.isNumber || "-_.~".contains(character)
                ? String(character) : "%" + String(format: "%02x", byte)
        }.joined()
    }
}
