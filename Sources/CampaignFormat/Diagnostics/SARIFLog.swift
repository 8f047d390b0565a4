/// The objects of a SARIF log, named as in the specification.
struct SARIFLog: Encodable {
    struct Run: Encodable {
        let tool: Tool
        /// Columns count characters, not the units of UTF-16.
        let columnKind = "unicodeCodePoints"
        let results: [Result]
    }

    struct Tool: Encodable {
        let driver: Driver
    }

    struct Driver: Encodable {
        let name = "hubsend"
        let version: String?
        let semanticVersion: String?
        let rules: [Rule]
    }

    struct Rule: Encodable {
        let id: String
        let shortDescription: Text
        let fullDescription: Text
        let help: Help
        let defaultConfiguration: Configuration

        init(_ rule: RuleDescription) {
            id = rule.id
            shortDescription = Text(rule.title)
            fullDescription = Text(rule.why)
            help = Help(rule)
            defaultConfiguration = Configuration(level: SARIFLog.level(rule.severity))
        }
    }

    struct Configuration: Encodable {
        let level: String
    }

    struct Text: Encodable {
        let text: String

        init(_ text: String) {
            self.text = text
        }
    }

    /// Plain text, and Markdown, which services prefer.
    struct Help: Encodable {
        let text: String
        let markdown: String

        init(_ rule: RuleDescription) {
            let (wrong, right) = (
                rule.wrong.shown.joined(separator: "\n"), rule.right.shown.joined(separator: "\n")
            )
            text = "\(rule.why)\n\nWrong:\n\n\(wrong)\n\nRight:\n\n\(right)\n"
            markdown =
                "\(rule.why)\n\nWrong:\n\n```yaml\n\(wrong)\n```\n\nRight:\n\n```yaml\n\(right)\n```\n"
        }
    }

    struct Result: Encodable {
        let ruleId: String
        let ruleIndex: Int?
        let level: String
        let message: Text
        let locations: [Location]
        let relatedLocations: [Location]?
        let partialFingerprints: [String: String]
    }

    struct Location: Encodable {
        var id: Int?
        var message: Text?
        let physicalLocation: Place
    }

    struct Place: Encodable {
        let artifactLocation: Artifact
        let region: Region
    }

    struct Artifact: Encodable {
        let uri: String
        let uriBaseId: String
    }

    /// Lines and columns from 1; the end is the place after the last character.
    struct Region: Encodable {
        let startLine: Int
        let startColumn: Int
        let endLine: Int
        let endColumn: Int
    }

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    private let schema = "https://json.schemastore.org/sarif-2.1.0.json"
    private let version = "2.1.0"
    let runs: [Run]

    init(runs: [Run]) {
        self.runs = runs
    }

    static func level(_ severity: Diagnostic.Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .hint: "note"
        }
    }
}
