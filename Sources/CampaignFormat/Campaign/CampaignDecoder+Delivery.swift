import CampaignCore
import YAMLSyntax

/// The key `delivery`.
extension CampaignDecoder {
    mutating func delivery(_ reader: MappingReader) -> DeliveryPolicy {
        var policy = DeliveryPolicy()
        guard
            let delivery = reader.mapping(
                "delivery", known: CampaignKeys.delivery, findings: &findings)
        else { return policy }
        if let rate = rate(delivery) { policy.rate = rate }
        if let number = findings.integer("concurrency", of: delivery, in: 1...1_024) {
            policy.concurrency = number.value
        }
        if let duration = findings.duration("finish_within", of: delivery) {
            policy.finishWithin = duration.value
        }
        if let retry = delivery.mapping("retry", known: CampaignKeys.retry, findings: &findings) {
            if let number = findings.integer("attempts", of: retry, in: 1...100) {
                policy.retry.attempts = number.value
            }
            if let duration = findings.duration("for", of: retry) {
                policy.retry.duration = duration.value
            }
        }
        checkLaterKeys(of: delivery)
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

    /// Keys of the contract that nothing acts on yet: their shape counts, their meaning does not.
    private mutating func checkLaterKeys(of delivery: MappingReader) {
        _ = findings.integer("recipients_per_push", of: delivery, in: 1...20)
        _ = findings.choice("on_unknown", of: delivery, among: ["resend", "hold"])
        if let stop = delivery.mapping(
            "stop_when", known: CampaignKeys.stopWhen, findings: &findings)
        {
            findings.require(["failed"], of: stop, root: stop.keyRange)
            if let share = findings.text("failed", of: stop) { checkShare(share) }
            _ = findings.integer("after", of: stop, in: 1...1_000_000_000)
        }
        if let cap = delivery.mapping(
            "frequency_cap", known: CampaignKeys.frequencyCap, findings: &findings)
        {
            findings.require(CampaignKeys.frequencyCap, of: cap, root: cap.keyRange)
            _ = findings.integer("pushes", of: cap, in: 1...1_000_000)
            _ = findings.duration("per", of: cap)
        }
        if let fallback = delivery.mapping(
            "fallback", known: CampaignKeys.fallback, findings: &findings)
        {
            findings.require(CampaignKeys.fallback, of: fallback, root: fallback.keyRange)
            _ = findings.duration("after", of: fallback)
            _ = template("message", of: fallback)
        }
        for key in [
            "recipients_per_push", "on_unknown", "stop_when", "frequency_cap", "fallback",
        ] {
            notYetSupported(key, of: delivery)
        }
    }

    private mutating func checkShare(_ share: Located<YAMLScalar>) {
        let text = share.value.text
        if text.hasSuffix("%"), let number = DecimalDigits.parse(text.dropLast()),
            (1...100).contains(number)
        {
            return
        }
        findings.error(
            .outOfRange, at: share.range, "\"\(text.shortened)\" is no share of the deliveries.",
            help: "Write 1% to 100%.")
    }
}
