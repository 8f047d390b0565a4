import CampaignCore

struct RunFacts {
    struct Fact {
        let label: String
        let value: String
    }

    private let overview: RunOverview
    private var run: RunRecord { overview.run }

    init(_ overview: RunOverview) {
        self.overview = overview
    }

    var people: String {
        let left = [(run.counts.duplicate, "duplicate"), (run.counts.excluded, "excluded")]
            .filter { $0.0 > 0 }.map { "\(Figures.count($0.0)) \($0.1)" }
        guard !left.isEmpty else { return Figures.count(run.recipients) }
        let parts = ["\(Figures.count(run.counts.named)) named"] + left
        return "\(Figures.count(run.recipients)) (\(parts.joined(separator: ", ")))"
    }

    var deliveries: String {
        let platforms = run.platforms.map(\.rawValue).joined(separator: ", ")
        return "\(Figures.count(run.deliveries)) on \(platforms)"
    }

    /// When its payloads were revoked, and what that does.
    var revocation: String? {
        run.revoked.map { revoked in
            overview.time(revoked)
                + (run.kind.isSilent
                    ? "; nobody can fetch it any more"
                    : "; alerts that were sent cannot be taken back")
        }
    }

    /// nil: an older version did not record it.
    var starter: String? { run.starter.map { VisibleText.escape($0.description) } }

    /// Its fallbacks, or the run it follows.
    var relations: [Fact] {
        let parent = run.occurrence.fallbackOf.map { Fact(label: "fallback of", value: $0.text) }
        let followers = overview.fallbacks.map(\.text).joined(separator: ", ")
        return [parent, followers.isEmpty ? nil : Fact(label: "fallback", value: followers)]
            .compactMap(\.self)
    }

    /// When its deliveries were deleted, and what that means.
    var deletion: String? {
        run.deliveriesDeleted.map {
            "deleted on \(overview.time($0)) by `retention`; the sums stay"
        }
    }

    var list: [Fact] {
        sending + policy
    }

    private var sending: [Fact] {
        var facts = [
            Fact(label: "people", value: people), Fact(label: "deliveries", value: deliveries),
            Fact(label: "requests", value: Figures.count(run.requests)),
            Fact(label: "started", value: overview.time(run.started)),
        ]
        if let starter { facts.append(Fact(label: "started by", value: starter)) }
        if run.state == .waiting, let resumes = run.resumes {
            facts.append(Fact(label: "goes on", value: overview.time(resumes)))
        }
        if let finished = run.finished {
            facts.append(Fact(label: "finished", value: overview.time(finished)))
            facts.append(
                Fact(label: "took", value: Figures.duration(from: run.started, to: finished)))
        }
        if run.kind.isSilent {
            facts.append(Fact(label: "expires", value: overview.time(run.expires)))
        }
        if let revocation { facts.append(Fact(label: "revoked", value: revocation)) }
        if let deletion { facts.append(Fact(label: "who it went to", value: deletion)) }
        facts += [
            Fact(label: "hub", value: run.hub.words),
            Fact(label: "run", value: run.id.text),
            Fact(
                label: "occurrence",
                value: run.isRehearsal ? "none: a rehearsal" : run.occurrence.text),
        ]
        facts += relations
        if let plan = run.plan { facts.append(Fact(label: "plan", value: plan.text)) }
        facts.append(Fact(label: "file", value: VisibleText.escape(run.campaignPath)))
        facts.append(Fact(label: "kind", value: kind))
        return facts
    }

    private var kind: String {
        let isHidden = run.kind.isSilent && run.isMessagePrivate
        return run.kind.rawValue + (isHidden ? ", title and message not in the push" : "")
    }

    /// As of the last start or continuation.
    private var policy: [Fact] {
        let policy = run.delivery
        let unknown = policy.onUnknown ?? UnknownPolicy.standard(for: run.kind)
        var facts = [
            Fact(
                label: "rate",
                value: policy.rate.map { "\(Self.number($0)) requests a second at most" }
                    ?? "unlimited"),
            Fact(label: "at once", value: Figures.count(policy.concurrency, "request", "requests")),
            Fact(
                label: "tries",
                value: "\(Figures.count(policy.retry.attempts)) at most, within "
                    + Self.text(policy.retry.duration)),
            Fact(label: "finish within", value: Self.text(policy.finishWithin)),
            Fact(label: "lost answers", value: unknown.rawValue),
        ]
        if policy.recipientsPerPush > 1 {
            facts.append(
                Fact(label: "people a request", value: "up to \(policy.recipientsPerPush)"))
        }
        if let limit = policy.stopWhen {
            facts.append(
                Fact(
                    label: "pauses at",
                    value: "\(limit.percent) % troubled of at least "
                        + Figures.count(limit.minimum, "push", "pushes")))
        }
        if let cap = policy.frequencyCap {
            facts.append(Fact(label: "cap", value: cap.description))
        }
        return facts
    }

    private static func text(_ duration: Duration) -> String {
        Durations.text(seconds: duration / .seconds(1))
    }

    private static func number(_ number: Double) -> String {
        let whole = number.rounded()
        return whole == number && whole < 1e9 ? Figures.count(Int(whole)) : "\(number)"
    }
}
