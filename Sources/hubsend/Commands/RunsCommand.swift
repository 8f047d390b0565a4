import ArgumentParser
import CampaignCore
import CampaignFormat
import CampaignOperations
import Reports
import Settings
import Storage
import Terminal

/// `hubsend runs`.
struct RunsCommand: AsyncParsableCommand {
    private static let most = 10_000

    static let configuration = CommandConfiguration(
        commandName: "runs", abstract: "Lists runs and their state, newest first.",
        discussion: """
            Reads the store only, so it can be used while a run is under way. On a terminal the lines are made to fit \
            it: names are cut, and the start and the hub left out first. Without one nothing is.
            """)

    @Option(help: ArgumentHelp("Only this campaign's runs.", valueName: "name"))
    var campaign: String?

    @OptionGroup var list: ListOptions
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let store = try SQLiteStore.openForReading(at: settings.store)
        var runs: [RunOverview] = []
        for run in try await store.runs(campaign: campaign, limit: list.limit) {
            runs.append(
                RunOverview(
                    run: run.standing(inStoreAt: store.path),
                    outcomes: try await store.outcomes(run.id)))
        }
        switch list.format {
        case .text:
            if runs.isEmpty, let campaign,
                let sentence = try await Self.absence(of: campaign, in: store)
            {
                return try Console.output(sentence + "\n")
            }
            let style = settings.invocation.outputStyle
            let width = settings.invocation.isOutputTerminal ? Console.outputColumns : nil
            let text = RunListText(runs, style: style, width: width).text()
            try Console.output(text, style: style)
        case .json:
            try Console.output(RunListJSON(runs).line())
        }
    }

    /// That the store has no run of a campaign, and which one may be meant; nil when it has no run at all.
    private static func absence(
        of campaign: String, in store: SQLiteStore
    ) async throws -> String? {
        let others = Set(try await store.runs(campaign: nil, limit: most).map(\.campaign))
        guard !others.isEmpty else { return nil }
        let nearest = NearestName.nearest(to: campaign, among: others.sorted())
        return "The store has no run of a campaign \(VisibleText.escape(campaign))."
            + (nearest.map { " Did you mean \($0)?" } ?? "")
    }
}
