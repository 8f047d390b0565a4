import CampaignCore

/// Checks `defaults` without a campaign, so that its findings are reported once.
struct DefaultsCheck {
    private let defaults: MappingReader
    private let limits: CampaignLimits
    private let folder: String
    private var findings: Findings { defaults.findings }

    init(_ defaults: MappingReader, limits: CampaignLimits, folder: String) {
        self.defaults = defaults
        self.limits = limits
        self.folder = folder
    }

    func run() {
        let check = LimitCheck(limits, findings: findings)
        _ = PlatformsDecoder.decode(defaults)
        _ = defaults.mapping("payload").map {
            PayloadDecoder(
                $0, files: SafeFolder(root: folder, base: folder, refused: []), limits: limits
            ).decode()
        }
        let delivery = DeliverySection(defaults)
        _ = check.held(delivery.policy, of: delivery)
        _ = defaults.mapping("schedule").map { ScheduleSection($0) }
        if let audience = defaults.mapping("audience") { checkAudience(audience, check) }
    }

    private func checkAudience(_ audience: MappingReader, _ check: LimitCheck) {
        check.check(
            minimum: audience.integer("min_recipients"),
            maximum: audience.integer("max_recipients"))
        _ = audience.text("language_column")
        guard let exclude = audience.mapping("exclude") else { return }
        _ = exclude.items("usernames", findings.username)
        _ = exclude.boolean("allow_empty")
        // Each campaign checks that the files are there.
        _ = AudienceEntriesDecoder(reader: exclude, isExclusion: true).decode()
        _ = AudienceRunsDecoder.decode(exclude, isExclusion: true)
    }
}
