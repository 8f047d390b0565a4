import ArgumentParser

struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Continues a run that was stopped or interrupted.",
        discussion: """
            Audience and payloads are those the run was staged with. Of the campaign file only `delivery` is read \
            again; when the file is gone, the run's own is used. Of a campaign, its unfinished run is continued; where \
            it has several, name one.
            """)

    @Argument(
        help: ArgumentHelp("A run's id, or a campaign's name.", valueName: "run-or-campaign"),
        completion: .runs, transform: RunReference.argument)
    var run: RunReference

    @Option(help: .wait, transform: DurationArgument.read)
    var wait: Duration?

    @Flag(help: "Print one JSON object on stdout.")
    var json = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let call = RunCall(
            settings,
            RunOrder(
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
