import CampaignCore
import YAMLSyntax

/// Finds pushes that phones' systems would hold back.
struct PushBudgetCheck {
    /// Silent pushes an hour (Apple, "Pushing background updates to your App": two or three).
    static let most = 3
    private static let hour = Duration.seconds(60 * 60)

    private let root: YAMLNode
    private let parts: CampaignLint.Parts

    init(_ root: YAMLNode, _ parts: CampaignLint.Parts) {
        self.root = root
        self.parts = parts
    }

    func run(_ remarks: inout Remarks) {
        checkCap(&remarks)
        checkSchedule(&remarks)
    }

    /// Silent on a system that counts them; a placeholder makes a push visible.
    private var isCounted: Bool {
        parts.kind?.isSilent == true && parts.platforms.contains(.apns)
            && root.entry(at: "payload", "placeholder") == nil
    }

    private func checkCap(_ remarks: inout Remarks) {
        guard isCounted, let cap = parts.delivery.frequencyCap,
            let place = root.entry(at: "delivery", "frequency_cap")
        else { return }
        // All pushes of a cap over a longer time may come within one hour, but only by chance.
        let hours = max(1, cap.period / Self.hour)
        guard cap.period <= Self.hour * 24, Double(cap.pushes) / hours > Double(Self.most) else {
            return
        }
        remarks.add(
            .silentBudget, at: place.key.range,
            "The cap lets more than \(Self.most) silent pushes an hour through to a device; iOS hands its app two or three.",
            help:
                "Lower the cap to 3 an hour, or give the payload a placeholder, which makes the push visible."
        )
    }

    /// nil with a cap, or if people are reached at other times than the start.
    func schedule(in files: SourceFiles) -> SilentSchedule? {
        guard isCounted, parts.delivery.frequencyCap == nil, !parts.hasTurns,
            let audience = parts.audience
        else { return nil }
        return parts.schedule.flatMap {
            SilentSchedule(root, $0, audience: audience, in: files)
        }
    }

    private func checkSchedule(_ remarks: inout Remarks) {
        guard isCounted, let place = root.entry(at: "schedule", "cron")?.value,
            case .cron(let cron)? = parts.schedule?.times, cron.minutesOfHour > Self.most
        else { return }
        let count = cron.minutesOfHour
        remarks.add(
            .silentBudget, at: place.range,
            "The schedule sends \(count) silent pushes an hour to each device; iOS hands its app two or three.",
            help:
                "Send at most every 20 minutes, or give the payload a placeholder, which makes the push visible."
        )
    }
}
