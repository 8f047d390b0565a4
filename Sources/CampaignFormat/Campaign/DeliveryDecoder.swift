import CampaignCore
import YAMLSyntax

struct DeliverySection {
    var policy = DeliveryPolicy()
    var rate: SourceRange?
    /// The minute of the day at which each person is sent to; nil: at once.
    var localTime: Located<Int>?
    /// True also if it is wrong.
    var hasLocalTime = false
    var fallback: Fallback?
    /// Set also if it has errors.
    var fallbackMessage: LocatedTemplate?
    var capPeriod: Located<Duration>?
}

enum DeliveryDecoder {
    /// - Parameter payload: decides whether people can share a push; nil if it has errors.
    static func decode(
        _ campaign: MappingReader, kind: CampaignKind?, payload: Payload?
    ) -> DeliverySection {
        var policy = DeliveryPolicy()
        guard
            let delivery = campaign.mapping(
                "delivery",
                form: { form($0) { RateText.parse($0) == nil ? nil : "{ rate: \($0) }" } })
        else { return DeliverySection() }
        let rate = delivery.value("rate", RateText.parse)
        if let rate { policy.rate = rate.value }
        if let number = delivery.integer("concurrency") {
            policy.concurrency = number.value
        }
        if let duration = delivery.duration("finish_within") {
            policy.finishWithin = duration.value
        }
        policy.retry = retry(delivery)
        if let number = delivery.integer("recipients_per_push") {
            policy.recipientsPerPush = number.value
        }
        policy.onUnknown = delivery.choice("on_unknown")?.value
        policy.stopWhen = stopWhen(delivery)
        let cap = frequencyCap(delivery)
        policy.frequencyCap = cap?.cap
        let fallback = FallbackDecoder(
            delivery, of: campaign, kind: kind, payload: payload)?.decode()
        if let payload, payload.isPersonal, policy.recipientsPerPush > 1 {
            // Only people who get the same can share a push.
            policy.recipientsPerPush = 1
            delivery.findings.warning(
                .noEffect, at: delivery.keyRange,
                "The payload has variables, so nobody shares a push with others.",
                help: "Delete \"recipients_per_push\"; each recipient gets a request of their own.")
        }
        return DeliverySection(
            policy: policy, rate: rate?.range,
            localTime: delivery.timeOfDay("local_time", form: "09:00"),
            hasLocalTime: delivery.has("local_time"),
            fallback: fallback?.fallback, fallbackMessage: fallback?.message,
            capPeriod: cap?.period)
    }

    private static func retry(_ delivery: MappingReader) -> RetryLimits {
        var limits = RetryLimits()
        guard let retry = delivery.mapping("retry", form: retryForm) else { return limits }
        if let number = retry.integer("attempts") { limits.attempts = number.value }
        if let duration = retry.duration("for") { limits.duration = duration.value }
        return limits
    }

    private static func stopWhen(_ delivery: MappingReader) -> FailureLimit? {
        guard
            let stop = delivery.mapping(
                "stop_when",
                form: { form($0) { percent($0).map { "{ failed: \($0)% }" } } })
        else { return nil }
        let minimum = stop.integer("after")
        let failed = stop.value("failed") { $0.hasSuffix("%") ? percent($0) : nil }
        return failed.map {
            FailureLimit(
                percent: $0.value, minimum: minimum?.value ?? FailureLimit.standardMinimum)
        }
    }

    private static func frequencyCap(
        _ delivery: MappingReader
    ) -> (cap: FrequencyCap, period: Located<Duration>)? {
        guard
            let cap = delivery.mapping(
                "frequency_cap",
                form: { form($0) { DecimalDigits.parse($0).map { "{ pushes: \($0), per: 1d }" } } })
        else { return nil }
        let pushes = cap.integer("pushes")
        let period = cap.duration("per")
        guard let pushes, let period else { return nil }
        return (FrequencyCap(pushes: pushes.value, period: period.value), period)
    }

    /// 1 to 100; the sign may be missing.
    private static func percent(_ text: String) -> Int? {
        let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
        return DecimalDigits.parse(digits).flatMap { (1...100).contains($0) ? $0 : nil }
    }

    private static func form(
        _ node: YAMLNode, _ form: (String) -> DiagnosticMessage?
    ) -> DiagnosticMessage? {
        RightForm.text(of: node).flatMap(form)
    }

    /// What `retry: 3` and `retry: 15m` mean.
    private static func retryForm(_ node: YAMLNode) -> DiagnosticMessage? {
        form(node) { text in
            if let number = DecimalDigits.parse(text) { return "{ attempts: \(number) }" }
            return DurationText.parse(text) == nil ? nil : "{ for: \(text) }"
        }
    }
}
