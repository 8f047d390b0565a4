import CampaignCore
import YAMLSyntax

/// Looks for pushes that the systems of phones would hold back.
struct PushBudgetCheck {
    /// Silent pushes that iOS lets through to an app in an hour ("Pushing background updates to your App", Apple: no more than
    /// two or three).
    static let most = 3
    private static let hour = Duration.seconds(60 * 60)

    private let root: YAMLNode
    private let parts: CampaignLint.Parts

    /// - Parameters:
    ///   - root: the campaign file's value.
    ///   - parts: what was made of it.
    init(_ root: YAMLNode, _ parts: CampaignLint.Parts) {
        self.root = root
        self.parts = parts
    }

    func run(_ remarks: inout Remarks) {
        checkCap(&remarks)
        checkSchedule(&remarks)
    }

    /// Whether its pushes are silent on a system that counts them: one with a placeholder is visible.
    private var isCounted: Bool {
        parts.kind?.isSilent == true && parts.platforms.contains(.apns)
            && root.entry(at: "payload", "placeholder") == nil
    }

    private func checkCap(_ remarks: inout Remarks) {
        guard isCounted, let cap = parts.delivery.frequencyCap,
            let place = root.entry(at: "delivery", "frequency_cap")
        else { return }
        // Of a cap over a longer time, all may come within one hour, which is no rule but chance.
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

    /// When it comes, for a look at several campaigns together; nil for one that holds itself back by a cap, and for one that comes to
    /// people at other times than it starts.
    ///
    /// - Parameter files: the file.
    func schedule(in files: SourceFiles) -> SilentSchedule? {
        guard isCounted, parts.delivery.frequencyCap == nil, !parts.hasTurns,
            let audience = parts.audience
        else { return nil }
        return parts.schedule.flatMap {
            SilentSchedule(root, $0, audience: audience, in: files)
        }
    }

    /// A campaign that comes more often than the system lets through.
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
