import CampaignCore

extension MappingShape {
    /// The defaults are those of `DeliveryPolicy`.
    static let delivery = MappingShape([
        KeyShape(
            "rate", .text(.rate), standard: "500/s", examples: ["500/s", "unlimited"],
            "Requests a second to the hub, 1/s to 1000000/s, or unlimited."),
        KeyShape(
            "concurrency", .integer(1...1_024), standard: "64",
            "Requests under way at once."),
        KeyShape(
            "recipients_per_push", .integer(1...20), standard: "1",
            "How many recipients share one request. A payload with variables is different for everyone, so that nobody shares."
        ),
        KeyShape(
            "retry", .mapping(.retry), examples: ["{ attempts: 5, for: 15m }"],
            "How often a push is tried that could not be handed over."),
        KeyShape(
            "finish_within", .duration(), standard: "24h",
            "What is left after so long from the run's start is skipped as too late."),
        KeyShape(
            "on_unknown", title: "Lost answers", .choice(.all(UnknownPolicy.self, \.summary)),
            "What happens to a push whose answer was lost, which may have gone out. Default: resend for secure and rich, hold for alert."
        ),
        KeyShape(
            "stop_when", title: "Circuit breaker", .mapping(.stopWhen),
            examples: ["{ failed: 5%, after: 200 }"],
            "Pauses the run when too much ends badly. Without it, no share of failures does."),
        KeyShape(
            "frequency_cap", .mapping(.frequencyCap), examples: ["{ pushes: 3, per: 1h }"],
            "How often a recipient is reached on a platform, over all campaigns on the same hub."),
        KeyShape(
            "local_time", .text(.timeOfDay), examples: ["\"09:00\""],
            "To each person at this hour of their own zone, once a day at most. It needs schedule.time_zone, for those whose zone no file says."
        ),
        KeyShape(
            "fallback", .mapping(.fallback),
            examples: ["{ after: 30m, message: You have a new message }"],
            kinds: [.secure, .rich],
            "One visible push to everyone who has fetched the payload on none of their devices."),
    ])

    private static let retry = MappingShape([
        KeyShape(
            "attempts", .integer(1...100), standard: "5",
            "At most so many times, the first included."),
        KeyShape(
            "for", title: "Longest time", .duration(), standard: "15m",
            "At most so long, for each push."),
    ])

    private static let stopWhen = MappingShape([
        KeyShape(
            "failed", title: "Share of failures", .text(.percent), isRequired: true,
            examples: ["5%"],
            "The share of the ended deliveries that are rejected, failed or unknown, 1% to 100%."),
        KeyShape(
            "after", title: "Fewest deliveries", .integer(1...1_000_000_000),
            standard: "\(FailureLimit.standardMinimum)",
            "How many have to have ended before the share counts."),
    ])

    private static let frequencyCap = MappingShape([
        KeyShape(
            "pushes", title: "Most pushes", .integer(1...1_000_000), isRequired: true,
            examples: ["3"], "The most pushes within the time."),
        KeyShape(
            "per", title: "Time", .duration(), isRequired: true, examples: ["1h"],
            "The time within which they are counted."),
    ])

    private static let fallback = MappingShape([
        KeyShape(
            "after", title: "Wait", .text(.wait), isRequired: true, examples: ["30m"],
            "How long after a delivery was accepted: at least 1m, and less than payload.expires_after."
        ),
        KeyShape(
            "message", .text(.template), isRequired: true, examples: ["You have a new message"],
            "What the device shows."),
    ])
}

extension UnknownPolicy {
    fileprivate var summary: String {
        switch self {
        case .resend: "Sends it again with the same id, which devices take for one push."
        case .hold: "Leaves it with the outcome unknown."
        }
    }
}
