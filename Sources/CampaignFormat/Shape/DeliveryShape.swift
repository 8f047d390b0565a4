import CampaignCore

extension MappingShape {
    static let delivery = MappingShape(DeliveryPolicy.fields.map(\.key) + deliveryKeys)

    /// Keys that are not part of the policy.
    private static let deliveryKeys: [KeyShape] = [
        KeyShape(
            "local_time", .text(.timeOfDay), examples: ["\"09:00\""],
            "Sends to each person at this time in their own time zone, at most once a day. It requires schedule.time_zone, for people whose time zone is not known."
        ),
        KeyShape(
            "fallback", .mapping(fallback),
            examples: ["{ after: 30m, message: You have a new message }"],
            kinds: [.secure, .rich],
            "One visible push to people who have not fetched the payload on any device."),
    ]

    private static let fallback = MappingShape([
        KeyShape(
            "after", title: "Wait", .text(.wait), isRequired: true, examples: ["30m"],
            "How long to wait after a delivery was accepted before the fallback is sent: at least 1m, and less than payload.expires_after."
        ),
        KeyShape(
            "message", .text(.template), isRequired: true, examples: ["You have a new message"],
            "The text that the device shows."),
    ])
}

extension DeliveryPolicy {
    static let fields: [Field<DeliveryPolicy>] = [
        KeyShape(
            "rate", .text(.rate), standard: "500/s", examples: ["500/s", "unlimited"],
            "Requests a second to the hub, 1/s to 1000000/s, or unlimited."
        ).into({ $0.value($1, RateText.parse) }, { $0.rate = $1.value }),
        KeyShape(
            "concurrency", .integer(1...1_024), standard: "64",
            "How many requests are in flight at once."
        ).into({ $0.integer($1) }, { $0.concurrency = $1.value }),
        KeyShape(
            "recipients_per_push", .integer(1...20), standard: "1",
            "How many recipients share one request. A payload with variables is different for everyone, so it cannot be shared."
        ).into({ $0.integer($1) }, { $0.recipientsPerPush = $1.value }),
        KeyShape(
            "retry", .mapping(MappingShape(RetryLimits.fields)),
            examples: ["{ attempts: 5, for: 15m }"],
            bare: bare { text in
                if let number = DecimalDigits.parse(text) { return "{ attempts: \(number) }" }
                return DurationText.usual.parse(text) == nil ? nil : "{ for: \(text) }"
            },
            "How often, and for how long, a failed push is tried again."
        ).into(
            { $0.mapping($1)?.read(RetryLimits.fields, into: RetryLimits()) }, { $0.retry = $1 }),
        KeyShape(
            "finish_within", .duration(), standard: "24h",
            "Pushes that are not sent within this time from the run's start are skipped as too late."
        ).into({ $0.duration($1) }, { $0.finishWithin = $1.value }),
        KeyShape(
            "on_unknown", title: "Lost answers", .choice(.all(UnknownPolicy.self, \.summary)),
            "What happens to a push that may have gone out, because the hub's answer was lost. Default: resend for secure and rich, hold for alert."
        ).into({ $0.choice($1) }, { $0.onUnknown = $1.value }),
        KeyShape(
            "stop_when", title: "Circuit breaker", .mapping(MappingShape(FailureLimit.fields)),
            examples: ["{ failed: 5%, after: 200 }"],
            bare: bare { FailureLimit.percent($0).map { "{ failed: \($0)% }" } },
            "Pauses the run when too many deliveries fail. Without it, failures never pause a run."
        ).into(
            { $0.mapping($1)?.read(FailureLimit.fields, into: FailureLimit(percent: 100)) },
            { $0.stopWhen = $1 }),
        KeyShape(
            "frequency_cap", .mapping(MappingShape(FrequencyCap.fields)),
            examples: ["{ pushes: 3, per: 1h }"],
            bare: bare { DecimalDigits.parse($0).map { "{ pushes: \($0), per: 1d }" } },
            "How often a recipient can get a push on a platform, across all campaigns on the same hub."
        ).into(
            {
                $0.mapping($1)?.read(
                    FrequencyCap.fields, into: FrequencyCap(pushes: 1, period: .zero))
            }, { $0.frequencyCap = $1 }),
    ]

    private static func bare(
        _ rewrite: @escaping @Sendable (String) -> DiagnosticMessage?
    ) -> @Sendable (YAMLNode, CampaignKind?) -> DiagnosticMessage? {
        { node, _ in RightForm.text(of: node).flatMap(rewrite) }
    }
}

extension RetryLimits {
    fileprivate static let fields: [Field<RetryLimits>] = [
        KeyShape(
            "attempts", .integer(1...100), standard: "5",
            "The maximum number of attempts, including the first."
        ).into({ $0.integer($1) }, { $0.attempts = $1.value }),
        KeyShape(
            "for", title: "Longest time", .duration(), standard: "15m",
            "The maximum time for each push."
        ).into({ $0.duration($1) }, { $0.duration = $1.value }),
    ]
}

extension FailureLimit {
    fileprivate static let fields: [Field<FailureLimit>] = [
        KeyShape(
            "failed", title: "Share of failures", .text(.percent), isRequired: true,
            examples: ["5%"],
            "The share of finished deliveries with the outcome rejected, failed or unknown, 1% to 100%."
        ).into(
            { $0.value($1) { $0.hasSuffix("%") ? percent($0) : nil } }, { $0.percent = $1.value }),
        KeyShape(
            "after", title: "Fewest deliveries", .integer(1...1_000_000_000),
            standard: "\(FailureLimit.standardMinimum)",
            "How many deliveries must have finished before the share is checked."
        ).into({ $0.integer($1) }, { $0.minimum = $1.value }),
    ]

    /// Reads a percentage from 1 to 100; the percent sign is optional.
    fileprivate static func percent(_ text: String) -> Int? {
        let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
        return DecimalDigits.parse(digits).flatMap { (1...100).contains($0) ? $0 : nil }
    }
}

extension FrequencyCap {
    fileprivate static let fields: [Field<FrequencyCap>] = [
        KeyShape(
            "pushes", title: "Most pushes", .integer(1...1_000_000), isRequired: true,
            examples: ["3"], "The maximum number of pushes within the time."
        ).into({ $0.integer($1) }, { $0.pushes = $1.value }),
        KeyShape(
            "per", title: "Time", .duration(), isRequired: true, examples: ["1h"],
            "The time in which the pushes are counted."
        ).into({ $0.duration($1) }, { $0.period = $1.value }),
    ]
}

extension UnknownPolicy {
    fileprivate var summary: String {
        switch self {
        case .resend:
            "Sends the push again with the same id, so that devices treat both as one push."
        case .hold: "Leaves the push with the outcome unknown."
        }
    }
}
