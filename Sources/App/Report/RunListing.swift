import CampaignCore
import CampaignFormat
import Storage

/// The runs of a store, newest first, as `hubsend runs` lists them.
struct RunListing {
    /// The most runs that are searched for the campaign that was meant.
    private static let most = 10_000

    private let runs: [RunOverview]
    /// Said instead of an empty list; nil: the list is shown.
    private let absence: String?

    /// Reads the runs; an open run without a process counts as paused.
    ///
    /// - Parameter campaign: only this campaign's runs; nil: all runs.
    init(of campaign: String?, limit: Int, in store: any Store) async throws {
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

    func print(_ format: ListFormat, _ invocation: Invocation) throws {
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

    /// Says that a campaign has no run, and which may be meant; nil if the store has no runs.
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
