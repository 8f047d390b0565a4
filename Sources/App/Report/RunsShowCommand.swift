import ArgumentParser
import CampaignCore
import Storage

struct RunsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows all that is known of one run.",
        discussion: """
            How it stands, its outcomes by platform, how many people it reached, the reasons for what went wrong, and how it \
            was sent. A campaign's name stands for its last run, rehearsals included. Reads the store only, so it can be used \
            while the run is under way.
            """)

    @Argument(
        help: ArgumentHelp("A run's id, or a campaign's name.", valueName: "run-or-campaign"),
        completion: .runs, transform: RunReference.argument)
    var run: RunReference

    @OptionGroup var output: FormatOptions
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let store = try await settings.store.openForReading()
        let details = try await RunDetails(of: run.last(in: store), in: store)
        switch output.format {
        case .text:
            let document = RunDocument(overview: details.overview, command: settings.commandForm)
            try settings.invocation.show(document.whole(details))
        case .json: try Console.output(RunJSON.details(details).line())
        }
    }
}
