import CampaignCore
import Storage

/// Asks before runs are ended for good or payloads revoked, with the number of people affected.
enum IrreversibleStop {
    /// Asks on a terminal, unless nothing is lost.
    ///
    /// - Parameters:
    ///   - mode: a stop that can be undone is not asked about.
    ///   - runs: missing runs are skipped.
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

    /// What people lose, a sentence per run; empty if nobody loses anything.
    ///
    /// `partial` are runs named only by the payload of one language; `payloads` are people's own.
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
        // A single payload of one person needs no warning.
        if payloads > (lines.isEmpty ? 1 : 0) {
            lines.append("\(people(payloads)) cannot fetch a payload of their own any more.")
        }
        return lines
    }

    /// What people of one run lose; nil if nobody loses anything.
    private static func line(
        about run: RunRecord, left: Int, isPartial: Bool, _ mode: StopMode
    ) -> String? {
        var parts: [String] = []
        if run.state == .staging {
            parts.append("nothing was sent yet, and nothing will be")
        } else {
            if mode == .revoking, run.revoked == nil, run.kind.isSilent {
                let languages = isPartial ? ", in any of its languages" : ""
                parts.append(
                    "\(people(run.recipients)) cannot fetch its payloads any more\(languages)")
            }
            if left > 0 {
                parts.append(
                    "of its pushes to \(people(run.recipients)), \(Figures.count(left)) of "
                        + "\(Figures.count(run.deliveries)) will never be sent"
                )
            } else if run.state != .finished {
                parts.append("nothing continues it, for any of \(people(run.recipients))")
            }
        }
        guard !parts.isEmpty else { return nil }
        return "Run \(run.id) of campaign \(run.campaign): \(parts.joined(separator: "; "))."
    }

    private static func people(_ number: Int) -> String {
        Figures.count(number, "person", "people")
    }
}

/// How many of a run's alerts were shown before it ended: these cannot be taken back.
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

    /// The rest of a sentence after a colon.
    var sentence: String {
        let alerts = Figures.count(all, "alert", "alerts")
        guard sent + maybe > 0 else { return "none of its \(alerts) was sent." }
        let some =
            "\(Figures.count(sent)) of its \(alerts) \(sent == 1 ? "was" : "were") sent already"
        let rest = maybe == 0 ? "" : ", \(Figures.count(maybe)) may have been,"
        return "\(some)\(rest) and cannot be taken back."
    }
}

extension Question {
    /// Asks if there is a terminal; a no ends the command with the refusal, without an error.
    static func ask(
        _ text: String, after lines: [String], otherwise refusal: String, _ invocation: Invocation
    ) async throws {
        guard invocation.canAsk else { return }
        for line in lines { Console.complain(line) }
        guard try await confirms(text) else {
            Console.complain(refusal)
            throw Refused.byPerson
        }
    }
}

extension Invocation {
    /// Whether a person is there who can answer.
    var canAsk: Bool { isInputTerminal && isErrorTerminal }
}
