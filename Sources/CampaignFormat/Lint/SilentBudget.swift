import CampaignCore

extension Rule {
    static let silentBudget = Rule(
        "silent-budget", .warning, "More silent pushes than iOS delivers",
        """
        iOS delivers only two or three silent pushes an hour per app and drops the rest without notice, especially \
        for apps that are seldom opened. The rule checks "frequency_cap" and "schedule.cron" of secure and rich \
        campaigns on apns; a payload with a placeholder is sent as a visible push, which is not counted. If several \
        campaigns without a cap reach the same list or person within an hour, a hint reports them.
        """,
        wrong: "delivery: { frequency_cap: { pushes: 10, per: 1h } }",
        right: "delivery: { frequency_cap: { pushes: 2, per: 1h } }",
        check: { document in
            guard document.isCounted else { return [] }
            return [cap(of: document), schedule(of: document)].compactMap(\.self)
        })

    private static func cap(of document: LintDocument) -> Remark? {
        let hour = Duration.seconds(60 * 60)
        guard let cap = document.delivery.frequencyCap,
            let place = document.root.entry(at: "delivery", "frequency_cap"),
            cap.period <= hour * 24,
            // If the cap covers a longer time, all its pushes could fall within one hour, but only
            // by chance.
            Double(cap.pushes) / max(1, cap.period / hour) > Double(SilentSchedule.mostInAnHour)
        else { return nil }
        return Remark(
            at: place.key.range,
            "The cap allows more than \(SilentSchedule.mostInAnHour) silent pushes an hour per device; iOS delivers only two or three an hour per app.",
            help:
                "Lower the cap to 3 an hour, or give the payload a placeholder, which makes the push visible."
        )
    }

    private static func schedule(of document: LintDocument) -> Remark? {
        guard let place = document.root.entry(at: "schedule", "cron")?.value,
            case .cron(let cron)? = document.schedule?.times,
            cron.minutesOfHour > SilentSchedule.mostInAnHour
        else { return nil }
        return Remark(
            at: place.range,
            "The schedule sends \(cron.minutesOfHour) silent pushes an hour to each device; iOS delivers only two or three an hour per app.",
            help:
                "Send at most once every 20 minutes, or give the payload a placeholder, which makes the push visible."
        )
    }
}

extension LintDocument {
    /// Whether the campaign's pushes are silent and sent to iOS; a placeholder makes a push
    /// visible.
    fileprivate var isCounted: Bool {
        kind?.isSilent == true && platforms.contains(.apns)
            && root.entry(at: "payload", "placeholder") == nil
    }

    /// nil if there is a cap, or if people are reached at other times than the start.
    var silentSchedule: SilentSchedule? {
        guard !hasErrors, isCounted, delivery.frequencyCap == nil, let audience,
            let schedule, !hasSendTimes
        else { return nil }
        return SilentSchedule(root, schedule, audience: audience, in: files)
    }
}
