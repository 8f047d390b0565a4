import ArgumentParser
import Storage

struct RunsCommand: AsyncParsableCommand {
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
        try await RunListing(of: campaign, limit: list.limit, in: store)
            .print(output.format, settings.invocation)
    }
}
