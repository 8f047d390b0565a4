import CampaignCore
package import FoundationEssentials

/// Says why a run stands still, once that lasts: the hub's answers tell it, or no answer comes.
struct HubWatch: Sendable {
    /// A hub that is away or throttles everybody is reported after this time: a single failure is not worth a line.
    private static let leastTrouble: Duration = .seconds(1)
    /// A hub that does not answer is reported after this time.
    private static let leastSilence: Duration = .seconds(5)
    /// After so long without a look, the silence counts from now: something else kept the process, such as a store that was away.
    private static let leastAbsence: Duration = .seconds(2)

    /// Since when a result has been waited for; nil: nothing is out.
    private var waitsSince: Duration?
    /// When ``look(at:)`` was called last.
    private var looked: Duration = .zero
    /// What was reported last, without its changing parts, until the hub answers.
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

    /// Notes that the engine is at work, and begins the silence anew after a long absence: answers that came meanwhile are unread.
    ///
    /// - Parameter now: the time on the run's timeline.
    mutating func look(at now: Duration) {
        if now - looked >= Self.leastAbsence, waitsSince != nil { waitsSince = now }
        looked = now
    }

    /// Why the run stands still now.
    ///
    /// A trouble that follows another is reported at once; otherwise the log would say that the hub answers again.
    ///
    /// - Parameters:
    ///   - judge: what the results so far say.
    ///   - now: the time on the run's timeline.
    ///   - date: turns a time on the timeline into a time of day.
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

    /// Whether a trouble, or its end, has to be reported.
    ///
    /// A trouble ends only when the hub gives a definite answer.
    ///
    /// - Parameters:
    ///   - trouble: why the run stands still; nil: it does not.
    ///   - judge: what the results so far say.
    ///   - now: the time on the run's timeline.
    /// - Returns: true when it was not reported before.
    mutating func isNews(_ trouble: HubTrouble?, _ judge: ResultJudge, at now: Duration) -> Bool {
        guard told != trouble?.gist else { return false }
        if trouble == nil, !judge.hasAnswered(since: toldSince) { return false }
        if told == nil { toldSince = now }
        told = trouble?.gist
        return true
    }
}

/// Why a run stands still although people are left: what the hub does, or that it is away.
package enum HubTrouble: Hashable, Sendable {
    /// No push gets a connection; the value is what went wrong last, such as `connection refused`.
    case unreachable(String)
    /// Requests go out, and no push gets a usable answer; the value is what came last instead.
    case unanswering(String)
    /// Requests are under way, and nothing has come back since that time.
    case silent(since: Date)
    /// The hub asks for patience, and has said nothing else for a while; nil: it did not say until when.
    case throttled(until: Date?)

    /// What the run waits for, in a few words, such as `the name hub.example does not resolve`.
    ///
    /// - Parameters:
    ///   - now: the time of day.
    ///   - clock: how a time of day is written.
    package func text(at now: Date, clock: (Date) -> String) -> String {
        switch self {
        case .unreachable(let detail), .unanswering(let detail):
            detail.isEmpty ? gist : detail
        case .silent(let since):
            "\(gist) for \(Int(max(0, now.timeIntervalSince(since)))) s"
        case .throttled(let until):
            until.map { "\(gist) until \(clock($0))" } ?? gist
        }
    }

    /// What the run waits for, without what changes from moment to moment.
    package var gist: String {
        switch self {
        case .unreachable(""): "it cannot be reached"
        case .unanswering(""): "it gives no usable answer"
        case .unreachable(let detail), .unanswering(let detail): detail
        case .silent: "it has not answered"
        case .throttled: "it asks to wait"
        }
    }

    /// What went on when the run was interrupted, as a part of a sentence.
    func interruption(at now: Date) -> String {
        let text = text(at: now) { $0.ISO8601Format() }
        return switch self {
        case .unreachable: "while the hub could not be reached: \(text)"
        case .unanswering: "while the hub gave no usable answer: \(text)"
        case .silent, .throttled: "while the run waited for the hub: \(text)"
        }
    }
}
