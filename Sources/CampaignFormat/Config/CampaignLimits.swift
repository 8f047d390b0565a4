import CampaignCore
import YAMLSyntax

/// What the config's `limits`, and how long it keeps deliveries, say about all campaigns beneath it.
package struct CampaignLimits: Hashable, Sendable {
    /// A limit and where the config sets it.
    struct Limit<Value: Hashable & Sendable>: Hashable, Sendable {
        let value: Value
        let file: String
        let range: TextRange

        /// The config's line, for a finding in a campaign.
        var note: Diagnostic.Related {
            Diagnostic.Related(message: "The config sets the limit here.", file: file, range: range)
        }
    }

    /// The schemes that addresses may have beside https, in lower case, such as `myapp`.
    package var urlSchemes: Set<String>
    /// The most people that a sending may reach.
    var recipients: Limit<Int>?
    /// Hub requests a second at most.
    var rate: Limit<Double>?
    /// The kinds that campaigns may have.
    var kinds: Limit<Set<CampaignKind>>?
    /// How long deliveries are kept, which caps count.
    var keptDeliveries: Limit<Duration>?

    package init(urlSchemes: Set<String> = []) {
        self.urlSchemes = urlSchemes
    }
}

/// Holds a campaign to the config's limits: what it leaves open stays within them, and what it asks for beyond them is an error.
struct LimitCheck {
    private let limits: CampaignLimits
    private let findings: Findings

    init(_ limits: CampaignLimits, findings: Findings) {
        self.limits = limits
        self.findings = findings
    }

    /// Reports a kind that the config does not allow.
    func check(_ kind: Located<CampaignKind>?) {
        guard let kind, let limit = limits.kinds, !limit.value.contains(kind.value) else { return }
        let names = CampaignKind.allCases.filter(limit.value.contains).map(\.rawValue)
        findings.error(
            .overLimit, at: kind.range,
            "The config does not allow campaigns of kind \(kind.value.rawValue).",
            help: "Allowed are: \(names.joined(separator: ", ")).", note: limit.note)
    }

    /// The rate within the limit.
    ///
    /// - Parameters:
    ///   - policy: the campaign's, with the standard rate where it names none.
    ///   - asked: where the campaign or the config's `defaults` name a rate; nil: they do not.
    func held(_ policy: DeliveryPolicy, asked: SourceRange?) -> DeliveryPolicy {
        guard let limit = limits.rate, (policy.rate ?? .infinity) > limit.value else {
            return policy
        }
        if let asked {
            findings.error(
                .overLimit, at: asked,
                "The rate is higher than the \(Figures.count(Int(limit.value))) a second that the config allows.",
                help: "Write at most \(Int(limit.value))/s.", note: limit.note)
        }
        var policy = policy
        policy.rate = limit.value
        return policy
    }

    /// Reports a cap that would count pushes which are not known any more.
    ///
    /// - Parameter period: the time within which the cap counts.
    func check(capOver period: Located<Duration>?) {
        guard let period, let limit = limits.keptDeliveries, period.value > limit.value else {
            return
        }
        let kept = DurationText.text(of: limit.value)
        findings.error(
            .overLimit, at: period.range,
            "The cap counts over more time than the \(kept) for which the config keeps deliveries.",
            help: "Write at most \(kept).", note: limit.note)
    }

    /// How many people there may be, within the limit.
    func held(_ rule: AudienceRule, of section: AudienceSection) -> AudienceRule {
        check(minimum: section.minimum, maximum: section.maximum)
        guard let limit = limits.recipients, section.maximum == nil else { return rule }
        var rule = rule
        rule.maximum = limit.value
        return rule
    }

    /// Reports numbers of people beyond the limit.
    func check(minimum: Located<Int>?, maximum: Located<Int>?) {
        guard let limit = limits.recipients else { return }
        let allowed = Figures.count(limit.value)
        if let minimum, minimum.value > limit.value {
            findings.error(
                .overLimit, at: minimum.range,
                "\"min_recipients\" asks for more people than the \(allowed) that the config allows.",
                help: "Such a campaign can never be sent.", note: limit.note)
        }
        if let maximum, maximum.value > limit.value {
            findings.error(
                .overLimit, at: maximum.range,
                "\"max_recipients\" is more than the \(allowed) people that the config allows.",
                help: "Write at most \(limit.value).", note: limit.note)
        }
    }
}
