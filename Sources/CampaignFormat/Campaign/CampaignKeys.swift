import CampaignCore

/// The keys of a campaign file (contract, section 3).
package enum CampaignKeys {
    static let top = [
        "campaign", "description", "kind", "platforms", "audience", "payload", "schedule",
        "delivery",
    ]
    static let audience = ["usernames", "files", "exclude", "min_recipients", "max_recipients"]
    static let exclude = ["usernames", "files", "allow_empty"]
    static let payload =
        [
            "title", "message", "type", "file", "text", "url", "placeholder", "link", "data",
            "badge", "sound", "thread", "private_message", "expires_after",
        ] + Platform.allCases.map(\.rawValue)
    static let platformTexts = ["title", "message", "placeholder"]
    static let schedule = ["cron", "at", "time_zone", "start_deadline", "quiet_hours"]
    static let quietHours = ["from", "to", "time_zone_column"]
    static let delivery = [
        "rate", "concurrency", "recipients_per_push", "retry", "finish_within", "on_unknown",
        "stop_when", "frequency_cap", "fallback",
    ]
    static let retry = ["attempts", "for"]
    static let stopWhen = ["failed", "after"]
    static let frequencyCap = ["pushes", "per"]
    static let fallback = ["after", "message"]

    private static let sections: [(path: String, keys: [String])] =
        [
            ("", top), ("audience", audience), ("audience.exclude", exclude), ("payload", payload),
            ("schedule", schedule), ("schedule.quiet_hours", quietHours), ("delivery", delivery),
            ("delivery.retry", retry), ("delivery.stop_when", stopWhen),
            ("delivery.frequency_cap", frequencyCap), ("delivery.fallback", fallback),
        ] + Platform.allCases.map { ("payload.\($0)", platformTexts) }

    /// Every key with those that lead to it, such as `audience.exclude.files`, in the contract's order.
    package static let all = sections.flatMap { section in
        section.keys.map { section.path.isEmpty ? $0 : section.path + "." + $0 }
    }

    /// The paths of the mappings that have a key.
    static func sections(with key: String) -> [String] {
        sections.filter { $0.keys.contains(key) }.map(\.path)
    }
}
