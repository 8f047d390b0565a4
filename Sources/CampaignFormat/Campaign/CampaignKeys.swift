/// The keys of a campaign file (contract, section 3).
package enum CampaignKeys {
    static let top = [
        "campaign", "description", "kind", "platforms", "audience", "payload", "schedule",
        "delivery",
    ]
    static let audience = [
        "usernames", "files", "runs", "exclude", "language_column", "min_recipients",
        "max_recipients",
    ]
    static let audienceFile = [
        "path", "username_column", "max_age", "on_bad_row", "encoding", "separator",
    ]
    static let audienceRun = ["campaign", "outcomes", "fetched"]
    static let exclude = ["usernames", "files", "allow_empty"]
    static let excludedFile = audienceFile.filter { $0 != "on_bad_row" }
    static let payload = [
        "message", "type", "file", "text", "url", "private_message", "expires_after",
    ]
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

    private static let sections: [(path: String, keys: [String])] = [
        ("", top), ("audience", audience), ("audience.files", audienceFile),
        ("audience.runs", audienceRun), ("audience.exclude", exclude),
        ("audience.exclude.files", excludedFile), ("payload", payload),
        ("schedule", schedule), ("schedule.quiet_hours", quietHours), ("delivery", delivery),
        ("delivery.retry", retry), ("delivery.stop_when", stopWhen),
        ("delivery.frequency_cap", frequencyCap), ("delivery.fallback", fallback),
    ]

    /// Every key with those that lead to it, such as `audience.exclude.files`, in the contract's order.
    package static let all = sections.flatMap { section in
        section.keys.map { section.path.isEmpty ? $0 : section.path + "." + $0 }
    }

    /// The paths of the mappings that have a key.
    static func sections(with key: String) -> [String] {
        sections.filter { $0.keys.contains(key) }.map(\.path)
    }
}
