package import CampaignCore
package import FoundationEssentials

/// When people had their turn in earlier runs of a campaign: `local_time` comes once a day at most.
package struct EarlierTurns: Sendable {
    /// A turn longer ago than this, in seconds, was on another day in every time zone.
    private static let longest: TimeInterval = 2 * 86_400

    package static let none = EarlierTurns()

    /// In seconds since 1970, by the name of the zone.
    private var turns: [String: [Int]] = [:]

    private init() {}

    /// Reads the turns.
    ///
    /// A turn does not count when its run had ended before it came.
    ///
    /// - Parameters:
    ///   - campaign: the campaign's name.
    ///   - hub: where it is sent.
    ///   - ledger: where runs are kept.
    ///   - start: when the new run starts.
    /// - Throws: what the ledger throws.
    package init(
        of campaign: String, at hub: HubIdentity, in ledger: any RunLedger, before start: Date
    ) async throws {
        let earliest = start.addingTimeInterval(-Self.longest)
        // A fallback is not a turn of its own: it belongs to a turn that its people had.
        let runs = try await Sendings(of: campaign, at: hub, in: ledger)
            .staged(endedAfter: earliest)
        for run in runs {
            let deadline = RunDeadline(run).date
            let end = run.finished ?? deadline
            guard end > earliest else { continue }
            for wave in try await ledger.waves(run.id) {
                let opening = Date(timeIntervalSince1970: Double(wave.turn.opens))
                guard opening < deadline, opening <= end else { continue }
                for zone in wave.zones { turns[zone, default: []].append(wave.turn.opens) }
            }
        }
    }

    /// When people of a zone had their turns, in seconds since 1970.
    func instants(in zone: String) -> [Int] { turns[zone] ?? [] }
}
