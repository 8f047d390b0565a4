import ArgumentParser
import CampaignCore
import Storage

struct RunsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows everything that is known about one run.",
        discussion: """
            Shows its state, its outcomes by platform, how many people it reached, why pushes \
            failed, and how it was sent. A campaign's name means its last run, including \
            rehearsals. Only reads the store, so it is safe while the run is in progress.
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
