/// Text from a hub, made safe for a log or a report.
enum ForeignText {
    static let limit = 200

    /// Removes control and invisible characters, hides signatures that the hub repeats, and
    /// truncates the text at 200 scalars.
    static func cleaned(_ text: String) -> String? {
        cleaned(text, hiding: .none)
    }

    /// Does the same, but also hides the client's own secrets.
    static func cleaned(_ text: String, hiding secrets: KnownSecrets) -> String? {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where "\t\n\r".unicodeScalars.contains(scalar), .lineSeparator,
                .paragraphSeparator, .spaceSeparator:
                if kept.last != " ", !kept.isEmpty { kept.append(" ") }
            case .control, .format, .surrogate, .privateUse, .unassigned: continue
            default: kept.append(scalar)
            }
        }
        // Signatures are hidden before the text is truncated, so that no part of a signature
        // remains.
        let hidden = secrets.hidden(
            in: String(kept).replacing(/(?i)\b(sig|sr|skn)=[^&\s]+/) {
                "\($0.output.1)=(hidden)"
            })
        let cut = Self.cut(hidden)
        let end = cut.lastIndex { $0 != " " }
        return end.map { String(cut[...$0]) }
    }

    static func cut(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    }

    /// An id from a header or a path: up to 200 bytes of visible ASCII; a longer id is dropped, not
    /// truncated.
    static func identifier(_ text: some StringProtocol) -> String? {
        guard (1...limit).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return String(text)
    }
}
