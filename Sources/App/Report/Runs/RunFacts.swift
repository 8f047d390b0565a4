import CampaignCore

/// The facts about a run, fewer for a summary than for the full list.
struct RunFacts {
    let overview: RunOverview
    private var run: RunRecord { overview.run }

    var summary: [Document.Fact] { facts(isSummary: true) }
    var list: [Document.Fact] { facts(isSummary: false) + policy }

    private func facts(isSummary: Bool) -> [Document.Fact] {
        func inSummary(_ value: String?) -> String? { isSummary ? value : nil }
        func inList(_ value: String?) -> String? { isSummary ? nil : value }
        let followers = overview.fallbacks.map(\.text).joined(separator: ", ")
        return Document.facts([
            "people": people, "accepted": inSummary(funnel), "deliveries": deliveries,
            "requests": Figures.count(run.requests), "started": overview.time(run.started),
            // Older versions did not record who started a run.
            "started by": run.starter.map { VisibleText.escape($0.description) },
            "continues": inList(run.state == .waiting ? run.resumes.map(overview.time) : nil),
            "finished": inList(run.finished.map(overview.time)),
            "duration": run.finished.map { Figures.duration(from: run.started, to: $0) },
            "expires": inList(run.kind.isSilent ? overview.time(run.expires) : nil),
            "revoked": revocation,
            "recipients": run.deliveriesDeleted.map {
                "deleted on \(overview.time($0)) by `retention`; the totals remain"
            },
            "hub": run.hub.words, "run": run.id.text,
            "occurrence": inList(run.isRehearsal ? "none (rehearsal)" : run.occurrence.text),
            "fallback of": run.occurrence.fallbackOf?.text,
            "fallback": followers.isEmpty ? nil : followers, "plan": run.plan?.text,
            "report": inSummary(overview.report.map { VisibleText.escape($0) }),
            "file": inList(VisibleText.escape(run.campaignPath)), "kind": inList(kind),
        ])
    }

    private var people: String {
        let left = RunFunnel.leftOut(run.counts)
        guard !left.isEmpty else { return Figures.count(run.recipients) }
        let parts = ["\(Figures.count(run.counts.named)) in the list"] + left
        return "\(Figures.count(run.recipients)) (\(parts.joined(separator: ", ")))"
    }

    /// How many people fetched and read the payload, according to the app.
    ///
    /// The hub does not say who has a device, so the number of people reached is unknown.
    private var funnel: String? {
        guard let reach = overview.reach, run.kind.isSilent, reach.accepted > 0 else { return nil }
        let steps = [(reach.fetched, "fetched"), (reach.read, "read")].map { count, step in
            let share = count == 0 ? "" : " (\(Figures.share(count, of: reach.accepted)))"
            return "\(Figures.count(count)) \(step)\(share)"
        }
        let people = Figures.count(reach.accepted, "person", "people")
        return (["for \(people)"] + steps).joined(separator: ", ")
    }

    private var deliveries: String {
        let platforms = run.platforms.map(\.rawValue).joined(separator: ", ")
        return "\(Figures.count(run.deliveries)) on \(platforms)"
    }

    /// When the payloads were revoked, and what the consequence is.
    private var revocation: String? {
        run.revoked.map { revoked in
            overview.time(revoked)
                + (run.kind.isSilent
                    ? "; nobody can fetch it any more"
                    : "; alerts that were sent cannot be taken back")
        }
    }

    private var kind: String {
        let isHidden = run.kind.isSilent && run.isMessagePrivate
        return run.kind.rawValue + (isHidden ? ", title and message not in the push" : "")
    }

    /// How the run was sent when it was last started or continued.
    private var policy: [Document.Fact] {
        let policy = run.delivery
        let unknown = policy.onUnknown ?? UnknownPolicy.standard(for: run.kind)
        return Document.facts([
            "rate": policy.rate.map { "at most \(Self.number($0)) requests a second" }
                ?? "unlimited",
            "in flight": "at most \(Figures.count(policy.concurrency, "request", "requests"))",
            "attempts":
                "at most \(Figures.count(policy.retry.attempts)) within \(Self.text(policy.retry.duration))",
            "finish within": Self.text(policy.finishWithin), "if unanswered": unknown.rawValue,
            "people per request":
                policy.recipientsPerPush > 1 ? "up to \(policy.recipientsPerPush)" : nil,
            "pauses if": policy.stopWhen.map { limit in
                "\(limit.percent) % fail of at least "
                    + Figures.count(limit.minimum, "push", "pushes")
            },
            "frequency cap": policy.frequencyCap?.description,
        ])
    }

    private static func text(_ duration: Duration) -> String {
        Durations.text(seconds: duration / .seconds(1))
    }

    private static func number(_ number: Double) -> String {
        let whole = number.rounded()
        return whole == number && whole < 1e9 ? Figures.count(Int(whole)) : "\(number)"
    }
}
