import CampaignCore
import YAMLSyntax

/// The key `payload.url`.
extension CampaignDecoder {
    private static let longestURL = 2_048

    /// Checks an address that devices will open: https or a scheme that the config allows, a fixed host, no
    /// credentials, only characters of RFC 3986.
    mutating func checkURL(_ url: LocatedTemplate) {
        let sample = url.sample
        let scheme = Self.scheme(of: url)
        guard let scheme, isAllowed(scheme, in: sample) else {
            findings.error(
                .invalidURL, at: url.range, "\"payload.url\" does not begin with https://.",
                help: Self.help(forRefused: url.template.source, scheme: scheme))
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
        let rest = sample.dropFirst(scheme.count + 1)
        guard !rest.isEmpty else {
            findings.error(
                .invalidURL, at: url.range, "\"payload.url\" has nothing behind \"\(scheme):\".")
            return
        }
        if rest.hasPrefix("//") {
            checkHost(of: url, in: String(rest.dropFirst(2)), scheme: scheme)
        }
    }

    private mutating func checkHost(of url: LocatedTemplate, in rest: String, scheme: String) {
        let authority = rest.prefix { !"/?#".contains($0) }
        if scheme == "https", authority.isEmpty || authority.hasPrefix(":") {
            findings.error(.invalidURL, at: url.range, "\"payload.url\" names no host.")
        } else if authority.contains("@") {
            findings.error(
                .invalidURL, at: url.range, "\"payload.url\" has a user name or password.",
                help: "Every recipient could read it; delete what stands before the @.")
        } else if case .literal(let start)? = url.template.segments.first,
            url.template.segments.count > 1,
            !start.dropFirst(scheme.count + 3).contains(where: { "/?#".contains($0) })
        {
            findings.error(
                .invalidURL, at: url.range, "The host of \"payload.url\" has a variable.",
                help: "A value must not decide where people are sent; use variables after the host."
            )
        }
    }

    /// The scheme in lower case, which no variable may have a part in.
    private static func scheme(of url: LocatedTemplate) -> String? {
        guard case .literal(let start)? = url.template.segments.first,
            let colon = start.firstIndex(of: ":")
        else { return nil }
        let scheme = start[..<colon].lowercased()
        return URLScheme.isScheme(scheme) ? scheme : nil
    }

    private func isAllowed(_ scheme: String, in sample: String) -> Bool {
        scheme == "https"
            ? sample.dropFirst(scheme.count).hasPrefix("://") : limits.urlSchemes.contains(scheme)
    }

    private static func help(forRefused text: String, scheme: String?) -> String {
        let general = "Devices open only https addresses."
        let isPort = text.drop { $0 != ":" }.dropFirst().first?.isNumber == true
        if let scheme, scheme.count > 1, !isPort {
            switch URLScheme.refusal(of: scheme) {
            case .unsafe?: return "Addresses with \(scheme): are never sent to devices."
            case nil where scheme != "https":
                return
                    "To allow links such as \(scheme):, write limits: { url_schemes: [\(scheme)] } into hubsend.yaml."
            default: return general
            }
        }
        let start = text.prefix { $0 != "/" }
        if MediaType.isKnown(path: text), !start.contains(".") || start.count == text.count {
            return "For a file beside the campaign write file: \(text.shortened)"
        }
        guard start.contains("."), start.first?.isLetter == true else { return general }
        return "Write https://\(text.shortened)"
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "<", ">", "\\", "^", "`", "{", "|", "}": false
        case "\u{21}"..."\u{7E}": true
        default: false
        }
    }
}
