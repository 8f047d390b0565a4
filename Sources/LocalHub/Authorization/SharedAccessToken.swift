import Foundation
import HTTPServing

/// A shared access signature from the `Authorization` header, parsed but not yet verified.
struct SharedAccessToken: Equatable {
    /// The text after `sr=`, exactly as it was signed.
    let rawAudience: String
    /// The text after `se=`, exactly as it was signed.
    private let rawExpiry: String
    /// The expiry in whole seconds since 1970-01-01 UTC.
    let expiry: Int64
    let signature: Data
    let ruleName: String

    /// Reads the value of `Authorization`; throws `malformedToken` if a part is missing, repeated
    /// or unreadable.
    ///
    /// The parts can be in any order. Some clients do not percent-encode the rule's name.
    init(header: String) throws(AuthorizationFailure) {
        let scheme = "sharedaccesssignature "
        guard header.prefix(scheme.count).lowercased() == scheme else { throw .malformedToken }
        var parts: [Substring: Substring] = [:]
        for pair in header.dropFirst(scheme.count).split(separator: "&") {
            guard let equals = pair.firstIndex(of: "=") else { throw .malformedToken }
            let name = pair[..<equals].drop { $0 == " " }
            let value = pair[pair.index(after: equals)...]
            guard parts.updateValue(value, forKey: name) == nil else { throw .malformedToken }
        }
        guard let audience = parts["sr"], let expiryText = parts["se"],
            let signature = parts["sig"],
            let name = parts["skn"]
        else { throw .malformedToken }
        guard let expiry = Int64(expiryText), expiry >= 0 else { throw .malformedToken }
        // Foundation's decoder also accepts excess padding, and padding in the middle.
        guard let base64 = PercentEncoding.decode(signature),
            let signatureBytes = Data(base64Encoded: base64),
            signatureBytes.base64EncodedString() == base64
        else { throw .malformedToken }
        rawAudience = String(audience)
        rawExpiry = String(expiryText)
        self.expiry = expiry
        self.signature = signatureBytes
        ruleName = PercentEncoding.decode(name) ?? String(name)
    }

    /// The signed text: the raw audience, a line feed, and the raw expiry.
    var signedBytes: Data { Data("\(rawAudience)\n\(rawExpiry)".utf8) }
}

/// The part of the hub for which a token is valid.
///
/// The signed address can be that of the namespace, that of the request, or anything in between,
/// with any scheme and port. Only the host and the path are compared, and the path must match in
/// whole segments.
struct TokenAudience: Equatable {
    /// The host and path in lower case, without the port, the query or trailing slashes.
    let resource: String

    /// Reads the percent-encoded text after `sr=`; nil if it cannot be decoded or contains no host.
    init?(encoded: String) {
        guard let decoded = PercentEncoding.decode(encoded) else { return nil }
        var rest = decoded.lowercased()[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        if let query = rest.firstIndex(of: "?") { rest = rest[..<query] }
        while rest.last == "/" { rest = rest.dropLast() }
        let hostEnd = rest.firstIndex(of: "/") ?? rest.endIndex
        let host = RequestAuthority.withoutPort(rest[..<hostEnd])
        guard !host.isEmpty else { return nil }
        resource = String(host) + rest[hostEnd...]
    }

    /// Whether the token is valid for a host (lower case, without port) and a path as sent.
    func covers(host: String, path: String) -> Bool {
        if isPrefix(of: host + path.lowercased()) { return true }
        // A client may have signed the path before encoding it.
        guard path.utf8.contains(UInt8(ascii: "%")), let decoded = PercentEncoding.decode(path)
        else { return false }
        return isPrefix(of: host + decoded.lowercased())
    }

    private func isPrefix(of target: String) -> Bool {
        target == resource || target.hasPrefix(resource + "/")
    }
}
