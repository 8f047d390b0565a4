import ArgumentParser
import CampaignCore
import CampaignFormat
import CampaignOperations
import Delivery
import ProcessControl
import Settings
import Terminal

/// `hubsend preview`.
struct PreviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract:
            "Shows what a run would do now, and what people would read; sends nothing, stores nothing.",
        discussion: """
            A summary of ten seconds: what people will see, how many of whom, on what, how long it takes, and what is \
            unusual. Then each distinct message as people read it, with one person's values filled in, and the largest \
            body against each platform's limit. Folders are searched for campaigns. But for --reach it connects \
            nowhere, runs no command and needs no credentials.

            For a pull request: --format markdown; for people without a terminal: --format html > preview.html.
            """)

    @Argument(
        help: ArgumentHelp(
            "Campaign files and folders; - is standard input.", valueName: "campaign"),
        completion: .campaigns)
    var campaigns: [String] = []

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

    @Option(
        help: ArgumentHelp(
            "Show what this member of the audience would read; may be given more than once.",
            valueName: "name"),
        transform: Username.argument)
    var user: [Username] = []

    @Option(
        help: ArgumentHelp(
            "Show what this many people would read, spread evenly over the audience: 1 to 100.",
            valueName: "number"))
    var sample: Int?

    @Flag(help: "Show the exact HTTP requests, with the signature hidden.")
    var requests = false

    @Option(help: ArgumentHelp("text, json, markdown or html.", valueName: "format"))
    var format: PreviewFormat = .text

    @Flag(
        name: .customLong("detailed-exitcode"),
        help: "Exit with 10 when something would be sent, and with 0 when nothing would.")
    var hasDetailedExitCode = false

    @OptionGroup var plans: PreviewPlanOptions

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if campaigns.isEmpty {
            throw ValidationError(
                to.isEmpty
                    ? "Name a campaign file or a folder of them."
                    : "Name the campaign file before --to, which takes all that follows it as usernames."
            )
        }
        if model != nil, to.isEmpty {
            throw ValidationError("--as goes with --to: it says whose values a rehearsal has.")
        }
        if let sample, !(1...PreviewOrder.mostSamples).contains(sample) {
            throw ValidationError("--sample takes a number from 1 to \(PreviewOrder.mostSamples).")
        }
        if campaigns.contains("-"), campaigns.count > 1 {
            throw ValidationError("Standard input (-) can only be previewed alone.")
        }
        if plans.choosesSending, !to.isEmpty {
            throw ValidationError("Only one of --to, --again and --occurrence can be given.")
        }
        if plans.save != nil, !to.isEmpty {
            throw ValidationError("A rehearsal has no plan; leave --to or --save out.")
        }
    }

    func run() async throws {
        let invocation = Invocation.current()
        let hits = try CampaignFolder.campaigns(among: campaigns)
        let settings = try EffectiveSettings.load(
            options, campaigns: hits.map(\.path), invocation: invocation)
        guard plans.save == nil || hits.count == 1 else {
            throw CommandEnd(
                .configuration, "A plan is of one campaign; name one campaign file with --save.")
        }
        guard let extent = plans.reach else {
            return try await show(hits, settings, reach: nil)
        }
        let logger = options.logger()
        let bar = ProgressBar(isShown: !options.quiet && invocation.isErrorTerminal)
        try await settings.requiredHub().connect(logger: logger) { connection in
            try await show(hits, settings, bar: bar) { planned, campaign in
                defer { bar.clear() }
                return try await ReachInquiry(extent, observe: bar.update).estimate(
                    planned, of: campaign, at: connection, logger: logger)
            }
        }
    }

    private func show(
        _ hits: [CampaignSearch.Hit], _ settings: EffectiveSettings, bar: ProgressBar? = nil,
        reach: Preview.Reach?
    ) async throws {
        let order = PreviewOrder(
            format: format, mode: to.isEmpty ? plans.mode : .rehearsal,
            rehearsal: settings.rehearsal(to: to, as: model), people: user, samples: sample,
            showsRequests: requests)
        let preview = Preview(
            settings: settings, order: order, by: .hubsend, saving: plans.saving, reach: reach)
        let (ends, signal) = try await SignalWatch.run(onProgressRequest: { bar?.report() }) {
            try await preview.show(hits)
        }
        try CommandEnd.exit(
            signal.map(ExitStatus.init) ?? ExitStatus(ends, isDetailed: hasDetailedExitCode))
    }
}
