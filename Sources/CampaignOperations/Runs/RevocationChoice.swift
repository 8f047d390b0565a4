import CampaignCore
import Foundation
import Settings
import Storage

/// Which of a campaign's runs is meant when its payloads are to be taken back.
///
/// Nothing of it can be undone, so that where two could be meant, neither is taken.
struct RevocationChoice {
    private static let mostListed = 5

    let run: RunID
    /// Finished ones besides, whose payloads devices can still fetch; newest first.
    private let untouched: [RunID]

    /// Chooses the run.
    ///
    /// - Parameters:
    ///   - runs: all of the campaign, newest first; at least one.
    ///   - store: where they are.
    /// - Throws: ``OperationFault`` when it cannot be told which is meant; what the store throws.
    init(among runs: [RunRecord], in store: any Store) async throws {
        // A fallback has no payload of its own: it goes with the run that it follows.
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
        // A command that is given again must not take what the first one left alone.
        let before = runs.first { ($0.revoked ?? .distantPast) > first.started }
        guard fetchable.count == 1, before == nil else {
            var sentence = "Campaign \(first.campaign) has "
            sentence += Figures.count(fetchable.count, "finished run", "finished runs")
            sentence += " whose payloads can still be fetched"
            if let before, let time = before.revoked {
                sentence += ", and run \(before.id) was taken back already on "
                sentence += UTCTime.readable(time)
            }
            throw OperationFault.ambiguous(sentence, among: fetchable)
        }
        run = first.id
    }

    /// Refuses where several runs are not finished.
    ///
    /// - Throws: ``OperationFault`` that lists them.
    static func requireOne(of unfinished: [RunRecord]) throws {
        guard unfinished.count > 1 else { return }
        let count = Figures.count(unfinished.count)
        throw OperationFault.ambiguous(
            "Campaign \(unfinished[0].campaign) has \(count) runs that are not finished",
            among: unfinished)
    }

    /// That others of the campaign are left as they are, and what takes them back; nil without any.
    func untouchedSentence(_ settings: EffectiveSettings) -> String? {
        guard let first = untouched.first else { return nil }
        guard untouched.count > 1 else {
            return
                "Run \(first) of this campaign is not touched: its payloads can still be fetched; take them "
                + "back with: \(settings.command("stop", "--revoke", first.text))"
        }
        var names = untouched.prefix(Self.mostListed).map(\.text).joined(separator: ", ")
        let more = untouched.count - Self.mostListed
        if more > 0 { names += " and \(Figures.count(more)) more" }
        return
            "Runs \(names) of this campaign are not touched: their payloads can still be fetched; take them "
            + "back one by one, the first with: \(settings.command("stop", "--revoke", first.text))"
    }

    /// The finished ones whose payloads devices can fetch.
    private static func fetchable(
        _ runs: [RunRecord], in store: any Store
    ) async throws -> [RunRecord] {
        let now = Date()
        var fetchable: [RunRecord] = []
        for run in runs
        where run.state == .finished && run.kind.isSilent && run.revoked == nil && run.expires > now
        {
            let outcomes = try await store.outcomes(run.id)
            // Where nothing went out, nobody has an id to fetch.
            if outcomes[.accepted] + outcomes[.unknown] > 0 { fetchable.append(run) }
        }
        return fetchable
    }
}
