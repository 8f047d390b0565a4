import CampaignCore

/// A reason why devices must not open an address in `payload.url` or `payload.link`.
///
/// The scheme must be https or one that the config allows. The host must be fixed, credentials are
/// refused, and only the characters of RFC 3986 are allowed.
struct PayloadURLError {
    private static let longest = 2_048

    let message: DiagnosticMessage
    let help: DiagnosticMessage?

    private init(_ message: DiagnosticMessage, help: DiagnosticMessage? = nil) {
        self.message = message
        self.help = help
    }

    /// nil if the address is valid; `schemes` are allowed besides https.
    static func first(
        in url: LocatedTemplate, named name: String, allowing schemes: Set<String>
    ) -> PayloadURLError? {
        let sample = url.sample
        let scheme = scheme(of: url.template)
        guard let scheme, isAllowed(scheme, in: sample, besides: schemes) else {
            return PayloadURLError(
                "\"\(name)\" does not begin with https://.",
                help: help(forRefused: url.template.source, scheme: scheme))
        }
        guard sample.utf8.count <= longest else {
            return PayloadURLError("\"\(name)\" has more than \(longest) characters.")
        }
        if let bad = sample.unicodeScalars.first(where: { !isAllowed($0) }) {
            return PayloadURLError(
                "\"\(name)\" contains the character \(VisibleText.codePoint(bad)), which is not allowed in addresses.",
                help: "Percent-encode it; values of variables are encoded automatically.")
        }
        let rest = sample.dropFirst(scheme.count + 1)
        guard !rest.isEmpty else {
            return PayloadURLError("\"\(name)\" has nothing after \"\(scheme):\".")
        }
        guard rest.hasPrefix("//") else { return nil }
        return host(of: url.template, named: name, in: rest.dropFirst(2), scheme: scheme)
    }

    private static func host(
        of url: MessageTemplate, named name: String, in rest: Substring, scheme: String
    ) -> PayloadURLError? {
        let authority = rest.prefix { !"/?#".contains($0) }
        if scheme == "https", authority.isEmpty || authority.hasPrefix(":") {
            return PayloadURLError("\"\(name)\" has no host.")
        }
        if authority.contains("@") {
            return PayloadURLError(
                "\"\(name)\" contains a user name or password.",
                help: "Every recipient could read it; delete the part before the @.")
        }
        if case .literal(let start)? = url.segments.first, url.segments.count > 1,
            !start.dropFirst(scheme.count + 3).contains(where: { "/?#".contains($0) })
        {
            return PayloadURLError(
                "The host of \"\(name)\" contains a variable.",
                help:
                    "A value must not determine where people are sent; use variables after the host."
            )
        }
        return nil
    }

    /// The scheme in lower case; nil if the address has no scheme, or if a variable is part of it.
    private static func scheme(of url: MessageTemplate) -> String? {
        guard case .literal(let start)? = url.segments.first, let colon = start.firstIndex(of: ":")
        else { return nil }
        let scheme = start[..<colon].lowercased()
        return URLScheme.isScheme(scheme) ? scheme : nil
    }

    private static func isAllowed(
        _ scheme: String, in sample: String, besides schemes: Set<String>
    ) -> Bool {
        scheme == "https"
            ? sample.dropFirst(scheme.count).hasPrefix("://") : schemes.contains(scheme)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "<", ">", "\\", "^", "`", "{", "|", "}": false
        case "\u{21}"..."\u{7E}": true
        default: false
        }
    }

    private static func help(forRefused text: String, scheme: String?) -> DiagnosticMessage {
        let general: DiagnosticMessage = "Devices open only https addresses."
        let isPort = text.drop { $0 != ":" }.dropFirst().first?.isNumber == true
        if let scheme, scheme.count > 1, !isPort {
            switch URLScheme.refusal(of: scheme) {
            case .unsafe?: return "Addresses with \(scheme): are never sent to devices."
            case nil where scheme != "https":
                return
                    "To allow links such as \(scheme):, write limits: { url_schemes: [\(scheme)] } in hubsend.yaml."
            default: return general
            }
        }
        let start = text.prefix { $0 != "/" }
        if MediaType.isKnown(path: text), !start.contains(".") || start.count == text.count {
            return "For a file next to the campaign, write file: \(text.shortened)"
        }
        guard start.contains("."), start.first?.isLetter == true else { return general }
        return "Write https://\(text.shortened)"
    }
}
