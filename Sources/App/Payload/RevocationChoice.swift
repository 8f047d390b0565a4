import CampaignCore
import Foundation
import Storage

/// Chooses the run whose payloads to revoke if only the campaign was named.
///
/// Revoking cannot be undone, so nothing is revoked if two runs are possible.
struct RevocationChoice {
    private static let mostListed = 5

    let run: RunID
    /// Other finished runs with payloads that devices can still fetch, newest first.
    private let untouched: [RunID]

    /// - Parameter runs: all runs of the campaign, newest first; at least one.
    init(among runs: [RunRecord], in store: any Store) async throws {
        // A fallback has no payload of its own, because it belongs to the run that it follows.
        let sendings = runs.filter { $0.occurrence.fallbackOf == nil }
        let runs = sendings.isEmpty ? runs : sendings
        let unfinished = runs.filter { $0.state != .finished }
        try Self.requireOne(of: unfinished)
        let fetchable = try await Self.fetchable(runs, in: store)
        if let only = unfinished.first {
            run = only.id
            untouched = fetchable.map(\.id)
            return
        }
        untouched = []
        guard let first = fetchable.first else {
            run = runs[0].id
            return
        }
        // Repeating the command must not revoke a run that was not revoked the first time.
        let before = runs.first { ($0.revoked ?? .distantPast) > first.started }
        guard fetchable.count == 1, before == nil else {
            var sentence = "Campaign \(first.campaign) has "
            sentence += Figures.count(fetchable.count, "finished run", "finished runs")
            sentence += " whose payloads can still be fetched"
            if let before, let time = before.revoked {
                sentence += ", and run \(before.id) was already revoked on "
                sentence += UTCTime.readable(time)
            }
            throw Self.ambiguity(sentence, among: fetchable)
        }
        run = first.id
    }

    static func requireOne(of unfinished: [RunRecord]) throws {
        guard unfinished.count > 1 else { return }
        let count = Figures.count(unfinished.count)
        throw ambiguity(
            "Campaign \(unfinished[0].campaign) has \(count) runs that are not finished",
            among: unfinished)
    }

    private static func ambiguity(_ why: String, among runs: [RunRecord]) -> Refused {
        Refused(
            "\(why). Nothing was changed. Name one of these runs instead:",
            details: Refused.lines(runs, more: "more, see `hubsend runs`") { run in
                let rehearsal = run.isRehearsal ? ", a rehearsal" : ""
                let people = Figures.count(run.recipients, "person", "people")
                return "\(run.id)  \(run.state.rawValue), \(people)\(rehearsal)"
            })
    }

    /// Names runs that were not revoked, and the command to revoke them; nil if no run is left.
    func untouchedSentence(_ settings: EffectiveSettings) -> String? {
        guard let first = untouched.first else { return nil }
        guard untouched.count > 1 else {
            return
                "Run \(first) of this campaign was not changed: its payloads can still be fetched. To revoke "
                + "them: \(settings.command("stop", "--revoke", first.text))"
        }
        var names = untouched.prefix(Self.mostListed).map(\.text).joined(separator: ", ")
        let more = untouched.count - Self.mostListed
        if more > 0 { names += " and \(Figures.count(more)) more" }
        return
            "Runs \(names) of this campaign were not changed: their payloads can still be fetched. Revoke "
            + "them one by one, starting with: \(settings.command("stop", "--revoke", first.text))"
    }

    private static func fetchable(
        _ runs: [RunRecord], in store: any Store
    ) async throws -> [RunRecord] {
        let now = Date()
        var fetchable: [RunRecord] = []
        for run in runs
        where run.state == .finished && run.kind.isSilent && run.revoked == nil && run.expires > now
        {
            let outcomes = try await store.outcomes(run.id)
            // If nothing was sent, nobody has an id to fetch the payload with.
            if Outcome.reaching.contains(where: { outcomes[$0] > 0 }) { fetchable.append(run) }
        }
        return fetchable
    }
}
