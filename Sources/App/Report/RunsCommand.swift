import ArgumentParser
import CampaignCore
import CampaignFormat
import Storage

struct RunsCommand: AsyncParsableCommand {
    /// The most runs that are searched for the campaign that was meant.
    private static let mostSearched = 10_000

    static let configuration = CommandConfiguration(
        commandName: "runs", abstract: "Lists runs and their state, newest first.",
        discussion: """
            Reads the store only, so it can be used while a run is under way. On a terminal the lines are made to fit \
            it: names are cut, and the start and the hub left out first. Without one nothing is.
            """, subcommands: [RunsShowCommand.self])

    @Option(help: ArgumentHelp("Only this campaign's runs.", valueName: "name"))
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

    /// Says that a campaign has no run, and which may be meant; nil if the store has no runs.
    private static func absence(
        of campaign: String, in store: any Store
    ) async throws -> String? {
        let others = Set(try await store.runs(campaign: nil, limit: mostSearched).map(\.campaign))
        guard !others.isEmpty else { return nil }
        let nearest = NearestName.nearest(to: campaign, among: others.sorted())
        return "The store has no run of a campaign \(VisibleText.escape(campaign))."
            + (nearest.map { " Did you mean \($0)?" } ?? "")
    }
}
