import ArgumentParser
import CampaignCore
import CampaignOperations
import Delivery
import ProcessControl
import Settings

/// `hubsend preview`.
struct PreviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Shows exactly what a run would do; sends nothing, stores nothing.",
        discussion: """
            Who would get it, each platform's exact request with the signature hidden, the largest body against the \
            platform's limit, the number of requests and the time they take. Connects nowhere, needs no credentials.
            """)

    @Argument(help: "The campaign file; - is standard input.")
    var campaign: String

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Only these members of the audience or testers, as for a rehearsal.",
            valueName: "user"),
        transform: Username.argument)
    var to: [Username] = []

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "With --to: the values of this member of the audience for all of them.",
            valueName: "user"),
        transform: Username.argument)
    var model: Username?

    @Option(help: ArgumentHelp("text or json.", valueName: "format"))
    var format: ListFormat = .text

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if model != nil, to.isEmpty {
            throw ValidationError("--as goes with --to: it says whose values a rehearsal has.")
        }
    }

    func run() async throws {
        let invocation = Invocation.current()
        try CampaignFolder.refuse([campaign], for: "preview")
        let settings = try EffectiveSettings.load(
            options, campaigns: [campaign], invocation: invocation)
        let preview = Preview(
            settings: settings, format: format,
            mode: to.isEmpty ? .occurrence(.once) : .rehearsal, by: .hubsend)
        let signal = try await SignalWatch.run {
            try await preview.show(campaign, rehearsal: settings.rehearsal(to: to, as: model))
        }.signal
        try CommandEnd.exit(signal.map(ExitStatus.init) ?? .done)
    }
}
