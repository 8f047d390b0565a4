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
        ".Dd November 28, 2026", ".Dt HUBSEND-RULES 7", ".Os", ".Sh NAME", ".Nm hubsend-rules",
        ".Nd what hubsend validate checks, and why", ".Sh DESCRIPTION",
        "Each rule has a stable name, which", ".Nm hubsend", ".Cm validate",
        "prints in brackets after a finding, and a severity.", "A campaign with an", ".Em error",
        "is not sent.", "A person should look at a", ".Em warning ;", "with", ".Fl \\-strict ,",
        "warnings also make the check fail.", "A", ".Em hint",
        "suggests an improvement and does not change the exit code.", ".Pp",
        "Warnings and hints can be switched off: everywhere with", ".Fl \\-disable Ar rule ,",
        "or, for one line of a campaign or a config, with a comment that gives a reason:",
        ".Bd -literal -offset indent", "# hubsend:ignore RULE reason", ".Ed", ".Pp",
        "The comment applies to its own line or, if it is alone on a line, to the next line",
        "that is not a comment.", ".Pp",
        "The examples show only the lines of a campaign that matter.",
        "Other files are shown below the campaign, under their names.",
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

    /// Each sentence begins a line, as mdoc(7) requires.
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

    /// Escapes a line of text, so that it is not mistaken for a request; requests are left
    /// unchanged.
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
