import CampaignCore
import FoundationEssentials

/// Writes a SARIF 2.1.0 log (OASIS), with the texts of all rules.
package struct SARIFDiagnosticRenderer: Sendable {
    private static let rules = RuleDescription.all.map(SARIFLog.Rule.init)
    private static let numbers = Dictionary(
        rules.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { $1 })

    /// Our own name: GitHub's upload computes `primaryLocationLineHash` and warns of other values.
    static let markName = "hubsendFinding/v1"

    private let version: String?
    private let masksAudience: Bool

    package init(version: String? = nil, masksAudience: Bool = false) {
        self.version = version
        self.masksAudience = masksAudience
    }

    /// - Parameter diagnostics: placed in the repository.
    package func render(_ diagnostics: [Diagnostic]) throws -> String {
        var seen: [String: Int] = [:]
        let results = diagnostics.map { diagnostic in
            let mark = mark(of: diagnostic)
            seen["\(diagnostic.file)\n\(mark)", default: 0] += 1
            return result(
                diagnostic, ruleIndex: Self.numbers[diagnostic.rule],
                mark: "\(mark):\(seen["\(diagnostic.file)\n\(mark)", default: 1])")
        }
        let driver = SARIFLog.Driver(
            version: version, semanticVersion: version, rules: Self.rules)
        let log = SARIFLog(runs: [
            SARIFLog.Run(tool: SARIFLog.Tool(driver: driver), results: results)
        ])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(log), as: UTF8.self) + "\n"
    }

    private func result(
        _ diagnostic: Diagnostic, ruleIndex: Int?, mark: String
    ) -> SARIFLog.Result {
        var text = diagnostic.shownMessage(maskingAudience: masksAudience)
        if let help = diagnostic.help {
            text += " " + help.shown(maskingAudience: masksAudience)
        }
        let related = diagnostic.related.enumerated().map { number, other in
            SARIFLog.Location(
                id: number + 1,
                message: SARIFLog.Text(other.message.shown(maskingAudience: masksAudience)),
                physicalLocation: place(other.file, other.range))
        }
        return SARIFLog.Result(
            ruleId: diagnostic.rule, ruleIndex: ruleIndex,
            level: SARIFLog.level(diagnostic.severity), message: SARIFLog.Text(text),
            locations: [
                SARIFLog.Location(physicalLocation: place(diagnostic.file, diagnostic.range))
            ],
            relatedLocations: related.isEmpty ? nil : related,
            partialFingerprints: [Self.markName: mark])
    }

    private func place(_ file: String, _ range: TextRange) -> SARIFLog.Place {
        SARIFLog.Place(
            artifactLocation: SARIFLog.Artifact(uri: Self.uri(file), uriBaseId: "%SRCROOT%"),
            region: SARIFLog.Region(
                startLine: range.line, startColumn: range.column, endLine: range.endLine,
                endColumn: range.endColumn))
    }

    /// Recognises a finding after its line has moved, by rule and line content.
    ///
    /// Lines that name people are left out, since a short hash of a name can be guessed.
    private func mark(of diagnostic: Diagnostic) -> String {
        let line = diagnostic.excerpt.flatMap { $0.isPersonal ? nil : $0.text }
        let words = line?.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
        return Fingerprint.of(
            diagnostic.rule, words ?? diagnostic.message.shown(maskingAudience: true))
    }

    /// A relative reference (RFC 3986, sections 2.3 and 4.2).
    private static func uri(_ path: String) -> String {
        path.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
                String(UnicodeScalar(byte))
            default:
                "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
