import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One signed token: the right to use a hub until an instant (reference: section 2).
struct SharedAccessSignature: Sendable, Equatable {
    /// When it ends, in whole seconds since 1970-01-01 UTC.
    let expiry: Int

    /// The value of the `Authorization` header: a secret.
    let authorization: String

    /// The part of it that cannot be guessed, in base64 as it is before it is percent-encoded.
    let signature: String

    /// The value that a description of a request shows in place of a real one, which is never
    /// computed for it.
    static let hidden = "SharedAccessSignature sr=(hidden)&sig=(hidden)&se=(hidden)&skn=(hidden)"

    /// Signs an audience.
    ///
    /// - Parameters:
    ///   - encodedAudience: the percent-encoded URI, exactly as it shall stand after `sr=`: this
    ///     text is what is signed.
    ///   - expiry: whole seconds since 1970-01-01 UTC.
    ///   - keyName: the rule's name, not encoded.
    ///   - key: the rule's key.
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

extension SharedAccessSignature: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    var description: String { "SharedAccessSignature(expiry: \(expiry), signature hidden)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: ["expiry": expiry]) }
}
