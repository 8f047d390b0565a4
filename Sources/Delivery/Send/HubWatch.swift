import CampaignCore
package import FoundationEssentials

/// Says why a run stands still, once that lasts.
struct HubWatch: Sendable {
    /// A single failure is not worth a line.
    private static let leastTrouble: Duration = .seconds(1)
    private static let leastSilence: Duration = .seconds(5)
    /// After so long without a look, silence counts from now: something else kept the process busy.
    private static let leastAbsence: Duration = .seconds(2)

    /// nil: nothing is out.
    private var waitsSince: Duration?
    private var looked: Duration = .zero
    /// The last reported trouble, without changing parts, until the hub answers.
    private var told: String?
    private var toldSince: Duration = .zero

    /// - Parameter isResult: whether results came, which ends the silence.
    mutating func note(hasOut: Bool, isResult: Bool, at now: Duration) {
        guard hasOut else { return waitsSince = nil }
        if isResult || waitsSince == nil { waitsSince = now }
    }

    /// Restarts the silence after a long absence: answers that came meanwhile are unread.
    mutating func look(at now: Duration) {
        if now - looked >= Self.leastAbsence, waitsSince != nil { waitsSince = now }
        looked = now
    }

    /// Why the run stands still now; nil if it does not, or only for a short time.
    ///
    /// Trouble that follows other trouble is reported at once; otherwise the log would say that the
    /// hub answers again.
    func trouble(_ judge: ResultJudge, at now: Duration, date: Date) -> HubTrouble? {
        let wallClock = { (time: Duration) in date.addingTimeInterval((time - now) / .seconds(1)) }
        let least = told == nil ? Self.leastTrouble : .zero
        if let outage = judge.outage { return now - outage.since >= least ? outage.trouble : nil }
        if let waitsSince, now - waitsSince >= Self.leastSilence {
            return .silent(since: wallClock(waitsSince))
        }
        if let throttling = judge.throttling, now - throttling.since >= least {
            return .throttled(until: throttling.until.flatMap { $0 > now ? wallClock($0) : nil })
        }
        return nil
    }

    /// Whether trouble, or its end, is new; it ends only with a definite answer of the hub.
    mutating func isNews(_ trouble: HubTrouble?, _ judge: ResultJudge, at now: Duration) -> Bool {
        guard told != trouble?.gist else { return false }
        if trouble == nil, !judge.hasAnswered(since: toldSince) { return false }
        if told == nil { toldSince = now }
        told = trouble?.gist
        return true
    }
}

package enum HubTrouble: Hashable, Sendable {
    /// No connection; the value is the last error, such as `connection refused`.
    case unreachable(String)
    /// Requests go out without a usable answer; the value is what came last.
    case unanswering(String)
    case silent(since: Date)
    /// The hub throttles everything; nil: it did not say until when.
    case throttled(until: Date?)

    /// A few words, such as `the name hub.example does not resolve`.
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

    /// Without what changes from moment to moment.
    package var gist: String {
        switch self {
        case .unreachable(""): "it cannot be reached"
        case .unanswering(""): "it gives no usable answer"
        case .unreachable(let detail), .unanswering(let detail): detail
        case .silent: "it has not answered"
        case .throttled: "it asks to wait"
        }
    }

    /// Part of a sentence about an interruption.
    func interruption(at now: Date) -> String {
        let text = text(at: now) { $0.ISO8601Format() }
        return switch self {
        case .unreachable: "while the hub could not be reached: \(text)"
        case .unanswering: "while the hub gave no usable answer: \(text)"
        case .silent, .throttled: "while the run waited for the hub: \(text)"
        }
    }
}
