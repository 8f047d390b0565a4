import CampaignCore
import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A signed token that grants access to a hub until it expires.
struct SharedAccessSignature: Sendable, Equatable {
    /// The expiry in whole seconds since 1970-01-01 UTC.
    let expiry: Int

    /// The value of the `Authorization` header, which is a secret.
    let authorization: String

    /// The signature in Base64, before it is percent-encoded.
    let signature: String

    /// A placeholder signature for descriptions, which need no real signature.
    static let hidden = "SharedAccessSignature sr=(hidden)&sig=(hidden)&se=(hidden)&skn=(hidden)"

    /// Signs the percent-encoded URI, exactly as it appears after `sr=`; the expiry is in seconds
    /// since 1970.
    init(encodedAudience: String, expiry: Int, keyName: String, key: SharedAccessKey) {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(encodedAudience)\n\(expiry)".utf8), using: SymmetricKey(data: key.bytes))
        signature = Data(code).base64EncodedString()
        self.expiry = expiry
        authorization =
            "SharedAccessSignature sr=\(encodedAudience)&sig=\(PercentEncoding.encode(signature))"
            + "&se=\(expiry)&skn=\(PercentEncoding.encode(keyName))"
    }
}

extension SharedAccessSignature: SecretHolder {
    var description: String { "SharedAccessSignature(expiry: \(expiry), signature hidden)" }
    var customMirror: Mirror { Mirror(self, children: ["expiry": expiry]) }
}
