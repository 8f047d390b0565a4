import CampaignCore

extension MappingReader {
    /// Checks the config's `defaults` without a campaign, so that its findings are reported even if
    /// no campaign uses them.
    func checkDefaults(limits: CampaignLimits, folder: String) {
        let check = LimitCheck(limits: limits, findings: findings)
        _ = PlatformsDecoder.decode(self)
        let files = SafeFolder(root: folder, base: folder, refused: [])
        _ = mapping("payload").map {
            PayloadDecoder(payload: $0, platforms: [], files: files, limits: limits).decode()
        }
        let delivery = DeliverySection(self)
        _ = check.held(delivery.policy, of: delivery)
        _ = mapping("schedule").map { ScheduleSection($0) }
        guard let audience = mapping("audience") else { return }
        check.check(
            minimum: audience.integer("min_recipients"),
            maximum: audience.integer("max_recipients"))
        _ = audience.text("language_column")
        guard let exclude = audience.mapping("exclude") else { return }
        _ = exclude.items("usernames", findings.username)
        _ = exclude.boolean("allow_empty")
        // Each campaign checks that the files are there.
        _ = exclude.audienceFiles()
        _ = exclude.runSelections()
    }
}
