@testable import CampaignFormat

/// A piece of YAML that makes hubsend refuse a document, and the rule that it breaks.
struct Refusal {
    enum Place {
        case head
        case entry
        case tail
    }

    let rule: Rule
    let place: Place
    let text: String

    /// The keys of these pieces do not occur in generated documents.
    static let all: [Refusal] =
        entries(.mergeKey, "<<: { z: 1 }\n", "? <<\n: z\n")
        + entries(
            .complexKey, "[z, y]: x\n", "{ z: y }: x\n", "? - z\n  - y\n: x\n", "? { z }\n: x\n")
        + entries(.unknownAlias, "zz: *nobody\n", "zz: [*nobody]\n")
        + entries(.recursiveAlias, "zz: &zz [*zz]\n", "zz: &zz\n  y: *zz\n")
        + entries(
            .unsupportedTag, "zz: !own z\n", "zz: !!binary eg==\n", "zz: ! z\n",
            "zz: !<x:y> { z: y }\n", "zz: !!int [z]\n", "!own zz: z\n")
        + entries(.duplicateKey, "zz: 1\n\"zz\": 2\n", "zz: 1\n? 'zz'\n: 2\n")
        + entries(
            .tooDeep, "zz: " + deep("[", "]"), "zz: " + deep("{z: ", "}"),
            "zz:\n  " + deep("- ", "") + "z\n")
        + entries(
            .invalidCharacter, "zz: a\u{2028}b\n", "zz: a\u{7}b\n", "zz: \"a\u{1B}b\"\n",
            "zz: a\u{FEFF}b\n")
        + entries(
            .syntax, "zz: [y\n", "zz: {y: x\n", "zz: \"y\n", "zz: 'y\n", "zz: @y\n", "zz: `y`\n",
            "zz:\n\ty: x\n", "zz: y: x\n", "zz: \"\\q\"\n", "zz: [y] x\n", "zz: |y\n  x\n",
            "zz: - y\n", "zz: %y\n", "zz: {y:}\n", "zz: {y:, x: w}\n", "zz\n")
        + others(
            .unsupportedDirective, at: .head, "%TAG ! tag:example.com,2026:\n---\n",
            "%FOO bar\n---\n", "%YAML 2.0\n---\n", "%YAML 1.2\n%YAML 1.2\n---\n")
        + others(
            .multipleDocuments, at: .tail, "---\nzz: 1\n", "...\nzz: 1\n", "--- zz\n",
            "...\n%YAML 1.2\n---\nzz: 1\n")

    private static func entries(_ rule: Rule, _ texts: String...) -> [Refusal] {
        texts.map { Refusal(rule: rule, place: .entry, text: $0) }
    }

    private static func others(
        _ rule: Rule, at place: Place, _ texts: String...
    ) -> [Refusal] {
        texts.map { Refusal(rule: rule, place: place, text: $0) }
    }

    private static func deep(_ opening: String, _ closing: String) -> String {
        String(repeating: opening, count: 70) + String(repeating: closing, count: 70)
            + (closing.isEmpty ? "" : "\n")
    }
}
