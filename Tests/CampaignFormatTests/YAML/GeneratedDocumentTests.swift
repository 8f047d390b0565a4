import TestSupport
import Testing

@testable import CampaignFormat

/// Tests that three hundred documents with difficult YAML are read as intended or refused for the
/// expected reason.
///
/// hubsend-campaign(5) says which YAML is supported; `Refusal.all` lists everything else.
@Suite(.bounded) struct GeneratedDocumentTests {
    private static let seeds = UInt64(1)...300

    @Test(
        "A generated document is read as intended or refused for the expected reason",
        arguments: [1...100, 101...200, 201...300] as [ClosedRange<UInt64>])
    func generatedDocumentIsReadAsIntendedOrRefusedForTheExpected(seeds: ClosedRange<UInt64>) {
        for seed in seeds {
            let generated = GeneratedDocument(seed: seed)
            let document = YAMLParser.parse(Array(generated.text.utf8))
            let shown = "seed \(seed): \(generated.text.debugDescription)"
            switch generated.outcome {
            case .accepted(let value):
                #expect(document.errors == [], "\(shown)")
                #expect(document.root.flatMap(YAMLValue.init) == value, "\(shown)")
            case .refused(let rule):
                #expect(document.errors.map(\.rule) == [rule], "\(shown)")
            }
            #expect(Invariants(document).firstViolation() == nil, "\(shown)")
        }
    }

    @Test("The generated documents cover every corner of the grammar")
    func generatedDocumentsCoverEveryCornerOfTheGrammar() {
        let documents = Self.seeds.map(GeneratedDocument.init)
        let corners = documents.reduce(into: Set<Corner>()) { $0.formUnion($1.corners) }
        #expect(Set(Corner.allCases).subtracting(corners) == [])
        let refused = documents.compactMap { document -> Rule? in
            guard case .refused(let rule) = document.outcome else { return nil }
            return rule
        }
        #expect((80...160).contains(refused.count))
        #expect(Set(refused) == Set(Refusal.all.map(\.rule)))
    }

    /// Each refusal is tested separately, so that one does not hide another.
    @Test("Every invalid fragment is refused in the simplest document")
    func everyInvalidFragmentIsRefusedInTheSimplestDocument() {
        for refusal in Refusal.all {
            let text =
                switch refusal.place {
                case .head: refusal.text + "a: 1\n"
                case .entry, .tail: "a: 1\n" + refusal.text
                }
            let document = YAMLParser.parse(Array(text.utf8))
            #expect(document.errors.map(\.rule) == [refusal.rule], "\(text.debugDescription)")
        }
    }
}
