@testable import CampaignFormat

struct GeneratedDocument {
    enum Outcome: Equatable {
        case accepted(YAMLValue)
        case refused(Rule)
    }

    let text: String
    let outcome: Outcome
    let corners: Set<Corner>

    private static let heads = [
        "%YAML 1.2\n---\n", "%YAML 1.1\n# note\n---\n", "---\n", "--- # note\n", "# note\n\n", "\n",
    ]
    private static let tails = ["...\n", "...\n# end\n", "...\n...\n"]

    /// Two in five documents contain a piece that is refused.
    init(seed: UInt64) {
        var grammar = DocumentGrammar(seed: seed)
        var corners: Set<Corner> = []
        let refusal = grammar.chance(40) ? grammar.pick(Refusal.all) : nil
        var head = ""
        if refusal == nil, grammar.chance(30) {
            corners.insert(.documentStart)
            head = grammar.pick(Self.heads)
        }
        var (text, value) = Self.body(
            of: &grammar, head: head, isMapping: refusal != nil)
        switch refusal?.place {
        case .head: text = (refusal?.text ?? "") + text
        case .entry, .tail: text += refusal?.text ?? ""
        case nil:
            if grammar.chance(20) {
                corners.insert(.documentEnd)
                text += grammar.pick(Self.tails)
            } else if !grammar.endsInBlockText, grammar.chance(20), !text.hasSuffix("\n\n") {
                corners.insert(.noFinalLineBreak)
                text.removeLast()
            }
        }
        if grammar.chance(20) {
            corners.insert(.windowsLineEnds)
            text = text.replacing("\n", with: "\r\n")
        }
        if grammar.chance(15) {
            corners.insert(.byteOrderMark)
            text = "\u{FEFF}" + text
        }
        self.text = text
        self.corners = corners.union(grammar.corners)
        outcome = refusal.map { .refused($0.rule) } ?? .accepted(value)
    }

    private static func body(
        of grammar: inout DocumentGrammar, head: String, isMapping: Bool
    ) -> DocumentGrammar.Written {
        switch isMapping ? 9 : grammar.number(0, 9) {
        case 0:
            let (text, value) = grammar.lonelyText()
            return ((head.isEmpty ? "--- " : head) + text, value)
        case 1:
            let (text, value) = grammar.blockText(0, isTop: true)
            return ("--- " + text, value)
        case 2:
            let (text, value) = grammar.flow(0, depth: 3)
            return (head + text + "\n", value)
        case 3, 4:
            let (text, value) = grammar.sequence(0, depth: 3)
            return (head + text, value)
        default:
            let (text, value) = grammar.mapping(0, depth: 3)
            return (head + text, value)
        }
    }
}
