import YAMLSyntax

/// `limits:`, what binds all campaigns.
extension ConfigDecoder {
    mutating func limits(_ reader: MappingReader) -> CampaignLimits {
        for key in ConfigKeys.laterLimits { notYetSupported(key, of: reader) }
        return CampaignLimits(urlSchemes: urlSchemes(reader))
    }

    private mutating func urlSchemes(_ reader: MappingReader) -> Set<String> {
        var places: [String: SourceRange] = [:]
        let schemes = items("url_schemes", of: reader, form: RightForm.list) { findings, item in
            let scheme = item.value.text
            if let refusal = URLScheme.refusal(of: scheme) {
                findings.error(
                    .unknownValue, at: item.range, Self.message(for: refusal, of: scheme),
                    help: Self.help(for: refusal, of: scheme))
                return nil as String?
            }
            if let first = places.updateValue(item.range, forKey: scheme) {
                findings.error(
                    .duplicateValue, at: item.range,
                    "The scheme \"\(scheme)\" is there twice.",
                    related: ("It is first here.", first))
                return nil
            }
            return scheme
        }
        return Set(schemes)
    }

    private static func message(for refusal: URLScheme.Refusal, of scheme: String)
        -> DiagnosticMessage
    {
        switch refusal {
        case .noScheme: "\"\(scheme.shortened)\" is no scheme of addresses."
        case .unprotected, .unsafe: "The scheme \"\(scheme)\" cannot be allowed."
        }
    }

    private static func help(for refusal: URLScheme.Refusal, of scheme: String) -> String {
        switch refusal {
        case .noScheme:
            let meant = String(scheme.lowercased().prefix { $0 != ":" })
            let example = URLScheme.isScheme(meant) ? meant : "myapp"
            return "Write what stands before the colon, in lower case, such as \(example)."
        case .unprotected:
            return
                "What it leads to can be read and changed on its way; use https, which is always allowed."
        case .unsafe: return "Its addresses run code, or open what is on the device."
        }
    }
}
