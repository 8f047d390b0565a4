/// Text that a hub wrote, made fit for a log or a report.
enum ForeignText {
    /// The most characters that are kept.
    static let limit = 200

    /// Drops control and invisible characters, hides signatures, and cuts.
    ///
    /// - Parameter text: any text. A hub can repeat a request's token in it.
    /// - Returns: up to 200 Unicode scalars; nil when nothing is left.
    static func cleaned(_ text: String) -> String? {
        cleaned(text, hiding: .none)
    }

    /// Does the same, and hides the client's own secrets, whatever stands around them.
    ///
    /// - Parameters:
    ///   - text: any text.
    ///   - secrets: what the client knows.
    /// - Returns: up to 200 Unicode scalars; nil when nothing is left.
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
        // Hidden before the cut, so that no half of a signature stays.
        let hidden = secrets.hidden(
            in: String(kept).replacing(/(?i)\b(sig|sr|skn)=[^&\s]+/) {
                "\($0.output.1)=(hidden)"
            })
        let cut = Self.cut(hidden)
        let end = cut.lastIndex { $0 != " " }
        return end.map { String(cut[...$0]) }
    }

    /// The first 200 Unicode scalars of a text.
    static func cut(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    }

    /// An id from a header or a path: visible ASCII, up to 200 bytes.
    ///
    /// - Returns: nil for anything else: part of an id is of no use.
    static func identifier(_ text: some StringProtocol) -> String? {
        guard (1...limit).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return String(text)
    }
}
