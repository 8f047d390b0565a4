package import FoundationEssentials

/// Why a run stands still although somebody is left: what the hub does, or that it is not there.
package enum HubTrouble: Hashable, Sendable {
    /// Nobody gets a connection; the last thing that kept somebody from it, such as `connection refused`.
    case unreachable(String)
    /// Requests go out and nobody gets a usable answer; the last thing that came instead.
    case unanswering(String)
    /// Requests are under way and nothing has come back since.
    case silent(since: Date)
    /// The hub asks for patience, and has said nothing else for a while; until then, where it said so.
    case throttled(until: Date?)

    /// What the run waits for, in a few words, such as `the name hub.example does not resolve`.
    ///
    /// - Parameters:
    ///   - now: the time of day.
    ///   - clock: how a time of day is written.
    /// - Returns: the words.
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

    /// The same without what changes from moment to moment.
    package var gist: String {
        switch self {
        case .unreachable(""): "it cannot be reached"
        case .unanswering(""): "it gives no usable answer"
        case .unreachable(let detail), .unanswering(let detail): detail
        case .silent: "it has not answered"
        case .throttled: "it asks to wait"
        }
    }

    /// What went on when somebody interrupted the run, as a part of a sentence.
    func interruption(at now: Date) -> String {
        let text = text(at: now) { $0.ISO8601Format() }
        return switch self {
        case .unreachable: "while the hub could not be reached: \(text)"
        case .unanswering: "while the hub gave no usable answer: \(text)"
        case .silent, .throttled: "while the run waited for the hub: \(text)"
        }
    }
}
