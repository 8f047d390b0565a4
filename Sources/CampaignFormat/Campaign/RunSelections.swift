import CampaignCore

extension MappingReader {
    /// The key `runs` of an audience or an exclusion: people of campaigns' last finished runs.
    func runSelections() -> Items<Located<RunSelection>> {
        elements("runs") { mapping($0, of: "runs").flatMap(selection) }
    }

    private func selection(_ keys: MappingReader) -> Located<RunSelection>? {
        let campaign = keys.text("campaign").flatMap(campaignName)
        let outcomes = keys.choices("outcomes", as: Outcome.self).values()
        let fetched = keys.boolean("fetched")?.value
        // Only exclusions have this key.
        let isOptional = keys.boolean("optional")?.value == true
        guard let campaign else { return nil }
        return Located(
            RunSelection(
                campaign: campaign.value, outcomes: keys.has("outcomes") ? Set(outcomes) : nil,
                fetched: fetched, isOptional: isOptional,
                origin: AudienceOrigin(file: 0, line: campaign.range.start.line)),
            at: campaign.range)
    }

    /// Reports a name that no campaign can have, without repeating it, because it may be a person's
    /// name.
    private func campaignName(_ text: Located<YAMLScalar>) -> Located<String>? {
        let name = text.value.text
        guard !Campaign.isName(name) else { return Located(name, at: text.range) }
        findings.error(
            .invalidName, at: text.range, "No campaign can have this name.",
            help: CampaignSlug.slug(of: name).map { "Did you mean \"\(audience: $0)\"?" }
                ?? "Copy the name after \"campaign:\" from the campaign's file.")
        return nil
    }
}
