import CampaignCore

/// Reads the key `runs`: people of campaigns' last finished runs.
enum AudienceRunsDecoder {
    static func decode(
        _ audience: MappingReader, isExclusion: Bool
    ) -> Items<Located<RunSelection>> {
        audience.elements("runs") { node in
            audience.mapping(node, of: "runs").flatMap { selection($0, isExclusion) }
        }
    }

    private static func selection(
        _ keys: MappingReader, _ isExclusion: Bool
    ) -> Located<RunSelection>? {
        let campaign = keys.text("campaign").flatMap { name($0, findings: keys.findings) }
        let outcomes = keys.choices("outcomes", as: Outcome.self).values()
        let fetched = keys.boolean("fetched")?.value
        let isOptional = isExclusion && keys.boolean("optional")?.value == true
        guard let campaign else { return nil }
        return Located(
            RunSelection(
                campaign: campaign.value, outcomes: keys.has("outcomes") ? Set(outcomes) : nil,
                fetched: fetched, isOptional: isOptional,
                origin: AudienceOrigin(file: 0, line: campaign.range.start.line)),
            at: campaign.range)
    }

    /// Reports a name that no campaign can have; it may be a person's.
    private static func name(
        _ text: Located<YAMLScalar>, findings: Findings
    ) -> Located<String>? {
        let name = text.value.text
        guard !Campaign.isName(name) else { return Located(name, at: text.range) }
        findings.error(
            .invalidName, at: text.range, "No campaign can have this name.",
            help: CampaignSlug.slug(of: name).map { "Did you mean \"\(audience: $0)\"?" }
                ?? "Write what stands behind \"campaign:\" in its file.")
        return nil
    }

    /// A campaign's name, rewritten as a list of runs.
    static func list(_ node: YAMLNode) -> DiagnosticMessage? {
        RightForm.words(of: node).first.map {
            "[{ campaign: \(audience: RightForm.quoted($0)) }]"
        }
    }
}
