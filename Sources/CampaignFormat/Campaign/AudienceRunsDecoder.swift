import CampaignCore
import YAMLSyntax

/// Reads the key `runs`: people of campaigns' last finished runs.
struct AudienceRunsDecoder {
    private let audience: MappingReader
    private let isExclusion: Bool
    private var findings: Findings { audience.findings }

    init(_ audience: MappingReader, isExclusion: Bool = false) {
        self.audience = audience
        self.isExclusion = isExclusion
    }

    func decode() -> [Located<RunSelection>] {
        guard let list = audience.list("runs", form: Self.list),
            audience.isBounded(list, "runs")
        else { return [] }
        return list.value.compactMap(selection)
    }

    private func selection(_ node: YAMLNode) -> Located<RunSelection>? {
        guard let keys = audience.mapping(node, of: "runs", form: Self.list) else { return nil }
        let campaign = keys.text("campaign")
        let outcomes = outcomes(keys)
        let fetched = keys.boolean("fetched")?.value
        let isOptional = isExclusion && keys.boolean("optional")?.value == true
        guard let campaign, isName(campaign) else { return nil }
        return Located(
            RunSelection(
                campaign: campaign.value.text, outcomes: outcomes, fetched: fetched,
                isOptional: isOptional,
                origin: AudienceOrigin(file: 0, line: campaign.range.start.line)),
            at: campaign.range)
    }

    /// nil means all.
    private func outcomes(_ keys: MappingReader) -> Set<Outcome>? {
        guard keys.has("outcomes") else { return nil }
        let errorsBefore = findings.errors
        let outcomes: [Outcome] = keys.items("outcomes", form: RightForm.list) { item in
            guard let outcome = Outcome(rawValue: item.value.text) else {
                findings.error(
                    .unknownValue, at: item.range,
                    "\"\(audience: item.value.text.shortened)\" is not an outcome.",
                    help: NearestName.help(
                        for: item.value.text, among: Outcome.allCases.map(\.rawValue)))
                return nil
            }
            return outcome
        }
        if outcomes.isEmpty, findings.errors == errorsBefore {
            findings.error(
                .emptyValue, at: keys.range(ofKey: "outcomes"),
                "\"\(keys.name(of: "outcomes"))\" names no outcome, so that nobody would be meant.",
                help: "Name some, or delete the key for everybody whom the run was for.")
        }
        return Set(outcomes)
    }

    /// Reports a name that no campaign can have; it may be a person's.
    private func isName(_ text: Located<YAMLScalar>) -> Bool {
        let name = text.value.text
        guard !Self.isName(name) else { return true }
        findings.error(
            .invalidName, at: text.range, "No campaign can have this name.",
            help: CampaignSlug.slug(of: name).map { "Did you mean \"\(audience: $0)\"?" }
                ?? "Write what stands behind \"campaign:\" in its file.")
        return false
    }

    static func isName(_ name: String) -> Bool {
        name.utf8.count <= 60
            && name.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "0"..."9", "-": true
                default: false
                }
            }
    }

    static func list(_ node: YAMLNode) -> DiagnosticMessage? {
        let words = RightForm.words(of: node)
        guard let first = words.first else { return nil }
        return "[{ campaign: \(audience: RightForm.quoted(first)) }]"
    }
}
