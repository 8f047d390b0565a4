import CampaignCore
import FoundationEssentials

/// Says why a run stands still, once that lasts: from what the hub's answers say, and from their absence.
struct HubWatch: Sendable {
    /// An absence, or a hub that asks everybody for patience, is told when it has lasted for so long: a stray failure is no news.
    static let leastTrouble: Duration = .seconds(1)
    /// A hub that says nothing is told of after this time.
    static let leastSilence: Duration = .seconds(5)

    /// Since when results are waited for; nil: nothing is out.
    private var waitsSince: Duration?
    /// What was told last, without what changes, until the hub answers.
    private var told: String?
    private var toldSince: Duration = .zero

    /// Something was handed over, or came back.
    ///
    /// - Parameters:
    ///   - hasOut: whether anything is out now.
    ///   - isResult: whether results came, and the silence is over.
    ///   - now: the time on the run's timeline.
    mutating func note(hasOut: Bool, isResult: Bool, at now: Duration) {
        guard hasOut else { return waitsSince = nil }
        if isResult || waitsSince == nil { waitsSince = now }
    }

    /// What is to be said.
    ///
    /// After one trouble another is said at once: that the hub answers again would be wrong.
    ///
    /// - Parameters:
    ///   - judge: what the results so far say.
    ///   - now: the time on the run's timeline.
    ///   - date: what a time on it is in the day.
    /// - Returns: nil when all is well.
    func trouble(
        _ judge: ResultJudge, at now: Duration, date: (Duration) -> Date
    ) -> HubTrouble? {
        let least = told == nil ? Self.leastTrouble : .zero
        if let outage = judge.outage {
            return now - outage.since >= least ? outage.trouble : nil
        }
        if let waitsSince, now - waitsSince >= Self.leastSilence {
            return .silent(since: date(waitsSince))
        }
        if let throttling = judge.throttling, now - throttling.since >= least {
            return .throttled(
                until: throttling.until.flatMap { $0 > now ? date($0) : nil })
        }
        return nil
    }

    /// Whether a trouble, or that it is over, is news; it is over only when somebody got an answer.
    ///
    /// - Parameters:
    ///   - trouble: what is to be said; nil: nothing.
    ///   - judge: what the results so far say.
    ///   - now: the time on the run's timeline.
    /// - Returns: true when it was not told before.
    mutating func isNews(_ trouble: HubTrouble?, _ judge: ResultJudge, at now: Duration) -> Bool {
        guard told != trouble?.gist else { return false }
        if trouble == nil, !judge.hasAnswered(since: toldSince) { return false }
        if told == nil { toldSince = now }
        told = trouble?.gist
        return true
    }
}
