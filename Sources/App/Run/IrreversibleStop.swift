import CampaignCore
import Storage

/// Asks for confirmation before runs are ended or payloads are revoked, with the number of people
/// affected.
enum IrreversibleStop {
    /// Asks on a terminal, unless nobody is affected.
    ///
    /// Does not ask about a stop that can be undone. Missing runs are skipped.
    static func ask(
        _ mode: StopMode, about runs: [RunID], in store: any Store, _ invocation: Invocation
    ) async throws {
        try await ask(mode, after: try await warnings(mode, about: runs, in: store), invocation)
    }

    static func ask(
        _ mode: StopMode, after lines: [String], _ invocation: Invocation
    ) async throws {
        guard !lines.isEmpty else { return }
        try await Question.ask(
            mode == .revoking ? "Revoke for good?" : "End for good?", after: lines,
            otherwise: "Nothing was changed.", invocation)
    }

    /// Says how people are affected, in one sentence per run; empty if nobody is affected.
    ///
    /// `partial` contains runs that were named by the payload of one language; `payloads` is the
    /// number of payloads that belong to one person each.
    static func warnings(
        _ mode: StopMode, about runs: [RunID], ofOneLanguage partial: Set<RunID> = [],
        besides payloads: Int = 0, in store: any Store
    ) async throws -> [String] {
        guard mode != .resumable else { return [] }
        var seen: Set<RunID> = []
        var lines: [String] = []
        for id in runs where seen.insert(id).inserted {
            guard let run = try await store.run(id) else { continue }
            let left = run.state == .finished ? 0 : try await store.outcomes(id)[.notAttempted]
            let isPartial = partial.contains(id)
            if let line = line(about: run, left: left, isPartial: isPartial, mode) {
                lines.append(line)
            }
        }
        // A single person's payload can be revoked without a question.
        if payloads > (lines.isEmpty ? 1 : 0) {
            lines.append("\(people(payloads)) will no longer be able to fetch their own payload.")
        }
        return lines
    }

    /// Says how people are affected in one run; nil if nobody is affected.
    private static func line(
        about run: RunRecord, left: Int, isPartial: Bool, _ mode: StopMode
    ) -> String? {
        var parts: [String] = []
        if run.state == .staging {
            parts.append("nothing was sent yet, and nothing will be")
        } else {
            if mode == .revoking, run.revoked == nil, run.kind.isSilent {
                let languages = isPartial ? ", in any language" : ""
                parts.append(
                    "\(people(run.recipients)) will no longer be able to fetch its payloads\(languages)"
                )
            }
            if left > 0 {
                parts.append(
                    "\(Figures.count(left)) of its \(Figures.count(run.deliveries, "push", "pushes")) "
                        + "to \(people(run.recipients)) will never be sent"
                )
            } else if run.state != .finished {
                parts.append("it will not be continued, for any of its \(people(run.recipients))")
            }
        }
        guard !parts.isEmpty else { return nil }
        return "Run \(run.id) of campaign \(run.campaign): \(parts.joined(separator: "; "))."
    }

    private static func people(_ number: Int) -> String {
        Figures.count(number, "person", "people")
    }
}

/// How many alerts of a run were sent before it ended, so that they cannot be taken back.
struct AlertsSent {
    private let all: Int
    private let sent: Int
    private let maybe: Int

    /// Counts the alerts; nil if the run does not exist or does not send alerts.
    init?(of id: RunID, in store: any Store) async throws {
        guard let run = try await store.run(id), !run.kind.isSilent else { return nil }
        let outcomes = try await store.outcomes(id)
        all = run.deliveries
        sent = outcomes[.accepted]
        maybe = outcomes[.unknown]
    }

    /// The end of a sentence after a colon, such as `3 of its 5 alerts were already sent`.
    var sentence: String {
        let alerts = Figures.count(all, "alert", "alerts")
        guard sent + maybe > 0 else { return "none of its \(alerts) was sent." }
        let some =
            "\(Figures.count(sent)) of its \(alerts) \(sent == 1 ? "was" : "were") already sent"
        let rest = maybe == 0 ? "" : ", and \(Figures.count(maybe)) more may have been"
        return "\(some)\(rest). Alerts cannot be taken back."
    }
}

extension Question {
    /// Asks if there is a terminal; if the person declines, prints the refusal and ends the command
    /// without an error.
    static func ask(
        _ text: String, after lines: [String], otherwise refusal: String, _ invocation: Invocation
    ) async throws {
        guard invocation.canAsk else { return }
        for line in lines { Console.complain(line) }
        guard try await confirms(text) else {
            Console.complain(refusal)
            throw Refused.declined
        }
    }
}

extension Invocation {
    /// Whether a person can answer a question.
    var canAsk: Bool { isInputTerminal && isErrorTerminal }
}
