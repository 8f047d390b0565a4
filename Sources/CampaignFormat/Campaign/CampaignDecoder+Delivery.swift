import CampaignCore
import YAMLSyntax

/// The key `delivery`.
extension CampaignDecoder {
    mutating func delivery(_ reader: MappingReader) -> DeliveryPolicy {
        var policy = DeliveryPolicy()
        guard
            let delivery = reader.mapping(
                "delivery", known: CampaignKeys.delivery,
                form: { Self.form($0) { RateText.parse($0) == nil ? nil : "{ rate: \($0) }" } },
                findings: &findings)
        else { return policy }
        if let rate = rate(delivery) { policy.rate = rate }
        if let number = findings.integer("concurrency", of: delivery, in: 1...1_024) {
            policy.concurrency = number.value
        }
        if let duration = findings.duration("finish_within", of: delivery) {
            policy.finishWithin = duration.value
        }
        if let retry = delivery.mapping(
            "retry", known: CampaignKeys.retry, form: Self.retryForm, findings: &findings)
        {
            if let number = findings.integer("attempts", of: retry, in: 1...100) {
                policy.retry.attempts = number.value
            }
            if let duration = findings.duration("for", of: retry) {
                policy.retry.duration = duration.value
            }
        }
        if let number = findings.integer("recipients_per_push", of: delivery, in: 1...20) {
            policy.recipientsPerPush = number.value
        }
        policy.onUnknown = onUnknown(delivery)
        policy.stopWhen = stopWhen(delivery)
        policy.frequencyCap = frequencyCap(delivery)
        checkFallback(of: delivery)
        return policy
    }

    private mutating func rate(_ delivery: MappingReader) -> Double?? {
        guard let text = findings.text("rate", of: delivery) else { return nil }
        guard let rate = RateText.parse(text.value.text) else {
            findings.error(
                .invalidRate, at: text.range, "\"\(text.value.text.shortened)\" is no rate.",
                help:
                    "Write hub requests a second from 1/s to 1000000/s, such as 500/s, or unlimited."
            )
            return nil
        }
        return rate
    }

    /// Only people who get the same can share a push.
    mutating func checkSharing(
        _ policy: inout DeliveryPolicy, payload: Payload?, in reader: MappingReader
    ) {
        guard policy.recipientsPerPush > 1, let payload, payload.isPersonal else { return }
        policy.recipientsPerPush = 1
        findings.warning(
            .noEffect, at: reader.range(ofKey: "delivery"),
            "The payload has variables, so nobody shares a push with others.",
            help: "Delete \"recipients_per_push\"; each recipient gets a request of their own.")
    }

    private mutating func onUnknown(_ delivery: MappingReader) -> UnknownPolicy? {
        findings.choice("on_unknown", of: delivery, among: UnknownPolicy.allCases.map(\.rawValue))
            .flatMap { UnknownPolicy(rawValue: $0.value) }
    }

    private mutating func stopWhen(_ delivery: MappingReader) -> FailureLimit? {
        guard
            let stop = delivery.mapping(
                "stop_when", known: CampaignKeys.stopWhen,
                form: { Self.form($0) { Self.share($0).map { "{ failed: \($0)% }" } } },
                findings: &findings)
        else { return nil }
        findings.require(["failed"], of: stop, root: stop.keyRange)
        let minimum = findings.integer("after", of: stop, in: 1...1_000_000_000)
        guard let text = findings.text("failed", of: stop), let percent = percent(text) else {
            return nil
        }
        return FailureLimit(
            percent: percent, minimum: minimum?.value ?? FailureLimit.standardMinimum)
    }

    private mutating func frequencyCap(_ delivery: MappingReader) -> FrequencyCap? {
        guard
            let cap = delivery.mapping(
                "frequency_cap", known: CampaignKeys.frequencyCap,
                form: {
                    Self.form($0) { DecimalDigits.parse($0).map { "{ pushes: \($0), per: 1d }" } }
                }, findings: &findings)
        else { return nil }
        findings.require(CampaignKeys.frequencyCap, of: cap, root: cap.keyRange)
        let pushes = findings.integer("pushes", of: cap, in: 1...1_000_000)
        let period = findings.duration("per", of: cap)
        guard let pushes, let period else { return nil }
        return FrequencyCap(pushes: pushes.value, period: period.value)
    }

    /// A key of the contract that nothing acts on yet: its shape counts, its meaning does not.
    private mutating func checkFallback(of delivery: MappingReader) {
        if let fallback = delivery.mapping(
            "fallback", known: CampaignKeys.fallback, findings: &findings)
        {
            findings.require(CampaignKeys.fallback, of: fallback, root: fallback.keyRange)
            _ = findings.duration("after", of: fallback)
            _ = template("message", of: fallback)
        }
        notYetSupported("fallback", of: delivery)
    }

    /// The number of a share in percent, whose sign may be missing.
    private static func share(_ text: String) -> Int? {
        let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
        return DecimalDigits.parse(digits).flatMap { (1...100).contains($0) ? $0 : nil }
    }

    private static func form(
        _ node: YAMLNode, _ form: (String) -> DiagnosticMessage?
    ) -> DiagnosticMessage? {
        RightForm.text(of: node).flatMap(form)
    }

    /// `retry: 3` and `retry: 15m`.
    private static func retryForm(_ node: YAMLNode) -> DiagnosticMessage? {
        form(node) { text in
            if let number = DecimalDigits.parse(text) { return "{ attempts: \(number) }" }
            return DurationText.parse(text) == nil ? nil : "{ for: \(text) }"
        }
    }

    private mutating func percent(_ share: Located<YAMLScalar>) -> Int? {
        let text = share.value.text
        if text.hasSuffix("%"), let number = Self.share(text) { return number }
        findings.error(
            .outOfRange, at: share.range, "\"\(text.shortened)\" is no share of the deliveries.",
            help: "Write 1% to 100%.")
        return nil
    }
}
