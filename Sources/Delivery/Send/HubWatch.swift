import CampaignCore
package import FoundationEssentials

/// Determines why a run is waiting for the hub, unless the wait is short.
struct HubWatch: Sendable {
    /// Shorter trouble, such as a single failure, is not reported.
    private static let leastTrouble: Duration = .seconds(1)
    private static let leastSilence: Duration = .seconds(5)
    /// If more time than this has passed since the last check, silence is measured from now,
    /// because the process was busy with something else.
    private static let leastAbsence: Duration = .seconds(2)

    /// Since when no answers have arrived; nil if nothing is in flight.
    private var waitsSince: Duration?
    private var checked: Duration = .zero
    /// The last reported trouble, as ``HubTrouble/gist``; nil once the hub has answered.
    private var told: String?
    private var toldSince: Duration = .zero

    /// - Parameter isResult: whether results have arrived, which ends the silence.
    mutating func note(hasOut: Bool, isResult: Bool, at now: Duration) {
        guard hasOut else { return waitsSince = nil }
        if isResult || waitsSince == nil { waitsSince = now }
    }

    /// Restarts the silence if the last check was long ago, because answers may be waiting unread.
    mutating func check(at now: Duration) {
        if now - checked >= Self.leastAbsence, waitsSince != nil { waitsSince = now }
        checked = now
    }

    /// Why the run is waiting now; nil if it is not waiting or has waited only a short time.
    ///
    /// New trouble directly after other trouble is reported immediately; otherwise, the log would
    /// say that the hub is answering again.
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

    /// Whether trouble, or the end of trouble, has not been reported yet.
    ///
    /// Trouble ends only with a definite answer from the hub.
    mutating func isNews(_ trouble: HubTrouble?, _ judge: ResultJudge, at now: Duration) -> Bool {
        guard told != trouble?.gist else { return false }
        if trouble == nil, !judge.hasAnswered(since: toldSince) { return false }
        if told == nil { toldSince = now }
        told = trouble?.gist
        return true
    }
}

package enum HubTrouble: Hashable, Sendable {
    /// There is no connection; the value is the last error, such as `connection refused`.
    case unreachable(String)
    /// Requests are getting no usable answer; the value is the last answer or error.
    case unanswering(String)
    case silent(since: Date)
    /// The hub throttles all requests; nil if it did not say for how long.
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

    /// The description without times.
    package var gist: String {
        switch self {
        case .unreachable(""): "it cannot be reached"
        case .unanswering(""): "it gives no usable answer"
        case .unreachable(let detail), .unanswering(let detail): detail
        case .silent: "it has not answered"
        case .throttled: "it is throttling"
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
