import CampaignCore
import YAMLSyntax

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
        _ = PayloadDecoder(
            defaults, kind: nil, platforms: [],
            files: SafeFolder(root: folder, base: folder, refused: []), limits: limits)?.decode()
        let delivery = DeliveryDecoder.decode(defaults, kind: nil, payload: nil)
        _ = check.held(delivery.policy, asked: delivery.rate)
        check.check(capOver: delivery.capPeriod)
        ScheduleDecoder(defaults)?.decodeShared()
        if let audience = defaults.mapping("audience") { checkAudience(audience, check) }
    }

    private func checkAudience(_ audience: MappingReader, _ check: LimitCheck) {
        check.check(
            minimum: audience.integer("min_recipients"),
            maximum: audience.integer("max_recipients"))
        _ = audience.text("language_column")
        guard let exclude = audience.mapping("exclude", form: RightForm.audience) else { return }
        _ = exclude.items("usernames", form: RightForm.people, findings.username)
        _ = exclude.boolean("allow_empty")
        // Each campaign checks that the files are there.
        _ = AudienceEntriesDecoder(exclude, isExclusion: true).decode()
        _ = AudienceRunsDecoder(exclude, isExclusion: true).decode()
    }
}
