import CampaignCore
import YAMLSyntax

/// The key `payload.url`.
extension CampaignDecoder {
    private static let longestURL = 2_048
    private static let scheme = "https://"

    /// Checks an address that devices will open: https, a fixed host, no credentials, only characters of RFC 3986.
    mutating func checkURL(_ url: LocatedTemplate) {
        let sample = url.sample
        guard sample.lowercased().hasPrefix(Self.scheme) else {
            findings.error(
                .invalidURL, at: url.range, "\"payload.url\" does not begin with https://.",
                help: "Devices open only https addresses.")
            return
        }
        guard sample.utf8.count <= Self.longestURL else {
            findings.error(
                .invalidURL, at: url.range,
                "\"payload.url\" has more than \(Self.longestURL) characters.")
            return
        }
        if let bad = sample.unicodeScalars.first(where: { !Self.isAllowed($0) }) {
            findings.error(
                .invalidURL, at: url.range,
                "\"payload.url\" has the character \(VisibleText.codePoint(bad)), which addresses cannot have.",
                help: "Percent-encode it; values of variables are encoded by themselves.")
            return
        }
        let authority = sample.dropFirst(Self.scheme.count).prefix { !"/?#".contains($0) }
        if authority.isEmpty || authority.hasPrefix(":") {
            findings.error(.invalidURL, at: url.range, "\"payload.url\" names no host.")
        } else if authority.contains("@") {
            findings.error(
                .invalidURL, at: url.range, "\"payload.url\" has a user name or password.",
                help: "Every recipient could read it; delete what stands before the @.")
        } else if case .literal(let start)? = url.template.segments.first,
            url.template.segments.count > 1,
            !start.dropFirst(Self.scheme.count).contains(where: { "/?#".contains($0) })
        {
            findings.error(
                .invalidURL, at: url.range, "The host of \"payload.url\" has a variable.",
                help: "A value must not decide where people are sent; use variables after the host."
            )
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "<", ">", "\\", "^", "`", "{", "|", "}": false
        case "\u{21}"..."\u{7E}": true
        default: false
        }
    }
}
