import ArgumentParser

struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Continues a run that was stopped or interrupted.",
        discussion: """
            The audience and the payloads remain as they were when the run was staged. Only `delivery` is read again \
            from the campaign file; if the file is gone, the run keeps its settings. With a campaign's name, its \
            unfinished run is continued; if there are several, name one of them.
            """)

    @Argument(
        help: ArgumentHelp("A run's id, or a campaign's name.", valueName: "run-or-campaign"),
        completion: .runs, transform: RunReference.argument)
    var run: RunReference

    @Option(help: .wait, transform: DurationArgument.read)
    var wait: Duration?

    @Flag(help: "Print one JSON object on stdout.")
    var json = false

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let call = RunCall(
            settings,
            RunOptions(
                asks: !yes, patience: wait ?? .zero, isJSON: json, isQuiet: options.quiet,
                logger: options.logger()))
        let record = try await call.unfinished(run)
        try await call.finish {
            try await call.connect(to: try settings.requiredHub()) { connection in
                try await PlannedRuns(resuming: record, by: call, at: connection).agreed().send()
            }
        }
    }
}
