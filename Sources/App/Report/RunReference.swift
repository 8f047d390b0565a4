import CampaignCore
import Storage

/// A run named on the command line by its id or by its campaign.
///
/// Ids contain capital letters but names do not, so they cannot be confused.
enum RunReference: Hashable, Sendable {
    case run(RunID)
    case campaign(String)

    /// The maximum number of a campaign's runs that are read.
    private static let most = 10_000

    /// Reads an id or a name; nil if the text can be neither.
    init?(_ text: String) {
        if let id = RunID(text) {
            self = .run(id)
        } else if Campaign.isName(text) {
            self = .campaign(text)
        } else {
            return nil
        }
    }

    /// The run, or the campaign's last run, which may be a rehearsal but not a fallback.
    func last(in store: any Store) async throws -> RunRecord {
        switch self {
        case .run(let id):
            guard let run = try await store.run(id) else { throw Refused.noSuchRun(id) }
            return run
        case .campaign(let name):
            guard let run = try await Self.last(of: name, in: store) else {
                throw Refused.noSuchCampaign(name)
            }
            return run
        }
    }

    /// The run that a reference names, or the store's last run without a reference.
    static func last(
        _ reference: RunReference?, in store: any Store
    ) async throws -> RunRecord {
        if let reference { return try await reference.last(in: store) }
        guard let last = try await last(of: nil, in: store) else {
            throw Refused(
                "There is no run in the \(store.place) yet; start one with `hubsend run`.")
        }
        return last
    }

    /// The last run of a campaign or a store; a fallback only if there is no other run.
    static func last(of campaign: String?, in store: any Store) async throws -> RunRecord? {
        var number = 1
        while true {
            let runs = try await store.runs(campaign: campaign, limit: number)
            if let run = runs.first(where: { $0.occurrence.fallbackOf == nil }) { return run }
            // The newest run is usually the right one, so more runs are read only if it is not.
            guard runs.count == number, number < most else { return runs.first }
            number = min(most, number * 100)
        }
    }

    /// The run, or the campaign's only unfinished run, or its last run if all are finished.
    func unfinished(in store: any Store) async throws -> RunRecord {
        guard case .campaign(let name) = self else { return try await last(in: store) }
        let runs = try await store.runs(.unfinished(of: name))
        guard runs.count <= 1 else {
            let ids = runs.map(\.id.text).joined(separator: ", ")
            throw Refused(
                """
                Campaign \(name) has \(Figures.count(runs.count)) unfinished runs: \(ids). Name the run to continue.
                """)
        }
        if let run = runs.first { return run }
        return try await last(in: store)
    }
}

extension Refused {
    static func noSuchRun(_ id: RunID) -> Refused {
        Refused("There is no run \(id) in this store. `hubsend runs` lists all runs.")
    }

    static func noSuchCampaign(_ name: String) -> Refused {
        Refused(
            "This store has no run of campaign \(name). `hubsend runs` lists all runs."
        )
    }
}
