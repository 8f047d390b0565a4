import CampaignCore
import CampaignFormat
import Reports
package import Settings
package import Storage
import Terminal

/// The runs of a store, newest first, as `hubsend runs` lists them.
package struct RunListing {
    /// The most runs that are searched for a campaign that may have been meant.
    private static let most = 10_000

    private let runs: [RunOverview]
    /// The sentence that is said instead of an empty list; nil: the list is shown.
    private let absence: String?

    /// Reads the runs; a run that should be worked on, but is not, is shown as paused.
    ///
    /// - Parameters:
    ///   - campaign: only this campaign's runs; nil: all runs.
    ///   - limit: how many at the most.
    ///   - store: the store.
    /// - Throws: what the store throws.
    package init(of campaign: String?, limit: Int, in store: any Store) async throws {
        var runs: [RunOverview] = []
        for run in try await store.runs(campaign: campaign, limit: limit) {
            let run = await run.standing(in: store)
            runs.append(
                RunOverview(
                    run: run, outcomes: try await store.outcomes(run.id),
                    workers: try await store.workers(on: run)))
        }
        self.runs = runs
        guard let campaign, runs.isEmpty else {
            absence = nil
            return
        }
        absence = try await Self.absence(of: campaign, in: store)
    }

    /// Writes the list to stdout.
    ///
    /// - Throws: `TerminalFault` when stdout is closed or its disk is full.
    package func print(_ format: ListFormat, _ invocation: Invocation) throws {
        switch format {
        case .text:
            if let absence { return try Console.say(absence) }
            let style = invocation.outputStyle
            let text = RunListText(runs, style: style, width: Console.outputColumns)
            try Console.output(text.text(), style: style)
        case .json:
            try Console.output(RunListJSON(runs).line())
        }
    }

    /// Says that the store has no run of a campaign, and which campaign may be meant; nil when it has no run at all.
    private static func absence(
        of campaign: String, in store: any Store
    ) async throws -> String? {
        let others = Set(try await store.runs(campaign: nil, limit: most).map(\.campaign))
        guard !others.isEmpty else { return nil }
        let nearest = NearestName.nearest(to: campaign, among: others.sorted())
        return "The store has no run of a campaign \(VisibleText.escape(campaign))."
            + (nearest.map { " Did you mean \($0)?" } ?? "")
    }
}
