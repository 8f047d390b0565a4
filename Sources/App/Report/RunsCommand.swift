import ArgumentParser
import CampaignCore
import CampaignFormat
import Storage

struct RunsCommand: AsyncParsableCommand {
    /// The maximum number of runs that are searched for a similar campaign name.
    private static let mostSearched = 10_000

    static let configuration = CommandConfiguration(
        commandName: "runs", abstract: "Lists runs and their state, newest first.",
        discussion: """
            Only reads the store, so it is safe while a run is in progress. On a terminal, lines \
            are fitted to its width: some columns are omitted, the start time first, and names are \
            shortened. Otherwise, lines are complete.
            """, subcommands: [RunsShowCommand.self])

    @Option(help: ArgumentHelp("List only this campaign's runs.", valueName: "name"))
    var campaign: String?

    @OptionGroup var list: ListOptions
    @OptionGroup var output: FormatOptions
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let store = try await settings.store.openForReading()
        var runs: [RunOverview] = []
        for run in try await store.runs(campaign: campaign, limit: list.limit) {
            runs.append(
                try await RunOverview(of: run, in: store, countsPeople: false, hasWorkers: true))
        }
        switch output.format {
        case .text:
            if let campaign, runs.isEmpty,
                let absence = try await Self.absence(of: campaign, in: store)
            {
                return try Console.say(absence)
            }
            let style = settings.invocation.outputStyle
            let text = RunListText(runs, style: style, width: Console.outputColumns)
            try Console.output(text.text(), style: style)
        case .json: try Console.output(RunJSON.list(runs).line())
        }
    }

    /// Says that a campaign has no run, and suggests another; nil if the store has no runs at all.
    private static func absence(
        of campaign: String, in store: any Store
    ) async throws -> String? {
        let others = Set(try await store.runs(campaign: nil, limit: mostSearched).map(\.campaign))
        guard !others.isEmpty else { return nil }
        let nearest = NearestName.nearest(to: campaign, among: others.sorted())
        return "The store has no run of campaign \(VisibleText.escape(campaign))."
            + (nearest.map { " Did you mean \($0)?" } ?? "")
    }
}
