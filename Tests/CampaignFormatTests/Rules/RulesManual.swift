@testable import CampaignFormat

/// Writes the descriptions of all rules as the manual page hubsend-rules(7), in mdoc(7).
enum RulesManual {
    /// The width of the page's source.
    private static let width = 78

    static var page: String {
        let groups = Rule.groups.map { group in
            ([".Sh " + group.title.uppercased()] + group.rules.flatMap(section))
        }
        return (head + groups.flatMap(\.self) + end).joined(separator: "\n") + "\n"
    }

    private static let head = [
        ".\\\" Written from the descriptions of the rules; CONTRIBUTING.md says how.",
        ".Dd November 23, 2026", ".Dt HUBSEND-RULES 7", ".Os", ".Sh NAME", ".Nm hubsend-rules",
        ".Nd what hubsend validate checks, and why", ".Sh DESCRIPTION",
        "Each rule has a stable name, which stands in brackets behind what", ".Nm hubsend",
        ".Cm validate", "finds, and how grave it is.", "A campaign with an", ".Em error",
        "is not sent.", "A", ".Em warning", "is something that a person should look at;", "with",
        ".Fl \\-strict", "it fails the check too.", "A", ".Em hint",
        "says what could be better, and changes no exit code.", ".Pp",
        "Warnings and hints can be switched off, everywhere with", ".Fl \\-disable Ar rule ,",
        "or for one line of a campaign or a config with a comment that says why:",
        ".Bd -literal -offset indent", "# hubsend:ignore RULE reason", ".Ed", ".Pp",
        "It counts for the line that it ends or, in a line of its own, for the next line",
        "that is no comment.", ".Pp",
        "Examples show the lines of a campaign that matter; the files beside it stand",
        "below them under their names.",
    ]

    private static let end = [".Sh SEE ALSO", ".Xr hubsend 1 ,", ".Xr hubsend-campaign 5"]

    private static func section(of rule: Rule) -> [String] {
        [".Ss \(rule.id)", "\(rule.title)", "(" + rule.severity.rawValue + ")."].map(text)
            + [".Pp"] + sentences(of: rule.why).flatMap(wrapped).map(text)
            + ["Wrong:"] + display(rule.wrong) + ["Right:"] + display(rule.right)
    }

    private static func display(_ example: RuleExample) -> [String] {
        [".Bd -literal -offset indent"] + example.shown.map(text) + [".Ed"]
    }

    /// Each sentence begins a line, as mdoc(7) asks.
    private static func sentences(of text: String) -> [String] {
        text.replacing(". ", with: ".\n").split(separator: "\n").map(String.init)
    }

    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// Escapes a line so that no text is taken for a request; passes on requests.
    private static func text(_ line: String) -> String {
        if line.hasPrefix(".Ss ") { return line }
        let safe = line.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case _ where scalar.isASCII: String(scalar)
            default: "\\[u\(String(scalar.value, radix: 16, uppercase: true).leftPadded(to: 4))]"
            }
        }.joined()
        return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
    }
}

extension String {
    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: "0", count: max(0, width - count)) + self
    }
}
