import CampaignCore

/// The config's `limits`, and the time for which deliveries are kept.
package struct CampaignLimits: Hashable, Sendable {
    struct Limit<Value: Hashable & Sendable>: Hashable, Sendable {
        let value: Value
        /// Where the config sets the limit.
        let note: Diagnostic.Related
    }

    /// Schemes that are allowed besides https, in lower case, such as `myapp`.
    package var urlSchemes: Set<String>
    var recipients: Limit<Int>?
    /// The maximum number of hub requests a second.
    var rate: Limit<Double>?
    var kinds: Limit<Set<CampaignKind>>?
    /// The time for which deliveries are kept; a frequency cap cannot count older ones.
    var keptDeliveries: Limit<Duration>?

    package init(urlSchemes: Set<String> = []) {
        self.urlSchemes = urlSchemes
    }
}

/// Applies the config's limits to a campaign: they replace missing values, and larger values are
/// refused.
struct LimitCheck {
    let limits: CampaignLimits
    let findings: Findings

    func check(_ kind: Located<CampaignKind>?) {
        guard let kind, let limit = limits.kinds, !limit.value.contains(kind.value) else { return }
        let names = CampaignKind.allCases.filter(limit.value.contains).map(\.rawValue)
        findings.error(
            .overLimit, at: kind.range,
            "The config does not allow campaigns of kind \(kind.value.rawValue).",
            help: "Allowed kinds: \(names.joined(separator: ", ")).", note: limit.note)
    }

    /// Reports a rate that is too high, and a cap whose period exceeds the time for which
    /// deliveries are kept.
    func held(_ policy: DeliveryPolicy, of delivery: DeliverySection) -> DeliveryPolicy {
        if let period = policy.frequencyCap?.period, let limit = limits.keptDeliveries,
            period > limit.value, let place = delivery.capPlace
        {
            let kept = Durations.written(limit.value)
            findings.error(
                .overLimit, at: place,
                "The cap covers more than the \(kept) for which the config retains deliveries.",
                help: "Write at most \(kept).", note: limit.note)
        }
        guard let limit = limits.rate, (policy.rate ?? .infinity) > limit.value else {
            return policy
        }
        if let place = delivery.ratePlace {
            findings.error(
                .overLimit, at: place,
                "The rate is higher than the \(Figures.count(Int(limit.value))) a second that the config allows.",
                help: "Write at most \(Int(limit.value))/s.", note: limit.note)
        }
        var policy = policy
        policy.rate = limit.value
        return policy
    }

    func held(_ rule: AudienceRule, of section: AudienceSection) -> AudienceRule {
        check(minimum: section.minimum, maximum: section.maximum)
        guard let limit = limits.recipients, section.maximum == nil else { return rule }
        var rule = rule
        rule.maximum = limit.value
        return rule
    }

    func check(minimum: Located<Int>?, maximum: Located<Int>?) {
        guard let limit = limits.recipients else { return }
        let allowed = Figures.count(limit.value)
        if let minimum, minimum.value > limit.value {
            findings.error(
                .overLimit, at: minimum.range,
                "\"min_recipients\" requires more than the \(allowed) people that the config allows.",
                help: "Write at most \(limit.value); otherwise the campaign can never be sent.",
                note: limit.note)
        }
        if let maximum, maximum.value > limit.value {
            findings.error(
                .overLimit, at: maximum.range,
                "\"max_recipients\" is higher than the \(allowed) people that the config allows.",
                help: "Write at most \(limit.value).", note: limit.note)
        }
    }
}
