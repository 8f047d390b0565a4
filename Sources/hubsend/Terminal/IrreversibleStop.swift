import CampaignCore
import Storage

/// The question before runs are ended for good or payloads are taken back, with the number of people that it meets.
enum IrreversibleStop {
    /// Asks on a terminal, unless nothing is lost.
    ///
    /// - Parameters:
    ///   - mode: what a stop is to leave of the runs; one that can be undone is not asked about.
    ///   - runs: which runs; one that is not there is passed over.
    ///   - payloads: how many people's own payloads are taken back besides.
    ///   - store: where they are.
    ///   - invocation: where standard streams lead.
    /// - Throws: ``CommandEnd`` when the answer is no; what the store throws.
    static func ask(
        _ mode: StopMode, about runs: [RunID], besides payloads: Int = 0, in store: SQLiteStore,
        _ invocation: Invocation
    ) async throws {
        guard mode != .resumable else { return }
        var seen: Set<RunID> = []
        var lines: [String] = []
        for id in runs where seen.insert(id).inserted {
            guard let run = try await store.run(id) else { continue }
            let left = run.state == .finished ? 0 : try await store.outcomes(id)[.notAttempted]
            if let line = line(about: run, left: left, mode) { lines.append(line) }
        }
        // One person's payload alone is no crowd.
        if payloads > (lines.isEmpty ? 1 : 0) {
            lines.append("\(people(payloads)) cannot fetch a payload of their own any more.")
        }
        guard !lines.isEmpty else { return }
        try await Question.ask(
            mode == .revoking ? "Revoke for good?" : "End for good?", after: lines,
            otherwise: "Nothing was changed.", invocation)
    }

    /// What it means for one run; nil when nothing.
    private static func line(about run: RunRecord, left: Int, _ mode: StopMode) -> String? {
        var parts: [String] = []
        if run.state == .staging {
            parts.append("nothing was sent yet, and nothing will be")
        } else {
            if mode == .revoking, run.revoked == nil, run.kind.isSilent {
                parts.append("\(people(run.recipients)) cannot fetch its payloads any more")
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
