import CampaignCore

/// Why devices must not open an address: the rules of `payload.url` and `payload.link`.
///
/// The scheme is https or one that the config allows. The host is fixed, there are no credentials,
/// and all characters are those of RFC 3986.
struct PayloadURLFault {
    private static let longest = 2_048

    let message: DiagnosticMessage
    let help: DiagnosticMessage?

    private init(_ message: DiagnosticMessage, help: DiagnosticMessage? = nil) {
        self.message = message
        self.help = help
    }

    /// nil if the address is good; `schemes` are allowed besides https.
    static func first(
        in url: LocatedTemplate, named name: String, allowing schemes: Set<String>
    ) -> PayloadURLFault? {
        let sample = url.sample
        let scheme = scheme(of: url.template)
        guard let scheme, isAllowed(scheme, in: sample, beside: schemes) else {
            return PayloadURLFault(
                "\"\(name)\" does not begin with https://.",
                help: help(forRefused: url.template.source, scheme: scheme))
        }
        guard sample.utf8.count <= longest else {
            return PayloadURLFault("\"\(name)\" has more than \(longest) characters.")
        }
        if let bad = sample.unicodeScalars.first(where: { !isAllowed($0) }) {
            return PayloadURLFault(
                "\"\(name)\" has the character \(VisibleText.codePoint(bad)), which addresses cannot have.",
                help: "Percent-encode it; values of variables are encoded by themselves.")
        }
        let rest = sample.dropFirst(scheme.count + 1)
        guard !rest.isEmpty else {
            return PayloadURLFault("\"\(name)\" has nothing behind \"\(scheme):\".")
        }
        guard rest.hasPrefix("//") else { return nil }
        return host(of: url.template, named: name, in: rest.dropFirst(2), scheme: scheme)
    }

    private static func host(
        of url: MessageTemplate, named name: String, in rest: Substring, scheme: String
    ) -> PayloadURLFault? {
        let authority = rest.prefix { !"/?#".contains($0) }
        if scheme == "https", authority.isEmpty || authority.hasPrefix(":") {
            return PayloadURLFault("\"\(name)\" names no host.")
        }
        if authority.contains("@") {
            return PayloadURLFault(
                "\"\(name)\" has a user name or password.",
                help: "Every recipient could read it; delete what stands before the @.")
        }
        if case .literal(let start)? = url.segments.first, url.segments.count > 1,
            !start.dropFirst(scheme.count + 3).contains(where: { "/?#".contains($0) })
        {
            return PayloadURLFault(
                "The host of \"\(name)\" has a variable.",
                help: "A value must not decide where people are sent; use variables after the host."
            )
        }
        return nil
    }

    /// In lower case; nil if there is none, or if a variable is part of it.
    private static func scheme(of url: MessageTemplate) -> String? {
        guard case .literal(let start)? = url.segments.first, let colon = start.firstIndex(of: ":")
        else { return nil }
        let scheme = start[..<colon].lowercased()
        return URLScheme.isScheme(scheme) ? scheme : nil
    }

    private static func isAllowed(
        _ scheme: String, in sample: String, beside schemes: Set<String>
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
}
