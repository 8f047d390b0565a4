import ArgumentParser
import CampaignCore
import CampaignFormat
import Delivery
import ProcessControl

struct PreviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract:
            "Shows what a run would do now and what people would read. Sends and stores nothing.",
        discussion: """
            Prints a ten-second summary: what people will see, how many people, on which platforms, how long it \
            takes, and anything unusual. The summary is followed by each distinct message as people will read it, \
            filled in with one person's values, and by the largest body compared with each platform's limit. Folders \
            are searched for campaigns. Without --reach, it makes no connections, runs no commands and needs no \
            credentials.

            For a pull request, use --format markdown. For people who do not use a terminal, use \
            --format html > preview.html.
            """)

    @Argument(
        help: ArgumentHelp(
            "Campaign files or folders; - means standard input.", valueName: "campaign"),
        completion: .campaigns)
    var campaigns: [String] = []

    @OptionGroup var sending: SendingOptions

    @Option(
        help: ArgumentHelp(
            "Show what this person in the audience would read; may be repeated.",
            valueName: "name"),
        transform: Username.argument)
    var user: [Username] = []

    @Option(
        help: ArgumentHelp(
            "Show what this many people, spread evenly over the audience, would read: 1 to 100.",
            valueName: "number"))
    var sample: Int?

    @Flag(help: "Show the exact HTTP requests, with the signature hidden.")
    var requests = false

    @Option(
        help: ArgumentHelp("The output format: text, json, markdown or html.", valueName: "format"))
    var format: PreviewFormat = .text

    @Flag(
        name: .customLong("detailed-exitcode"),
        help: "Exit with 10 if something would be sent, and with 0 otherwise.")
    var hasDetailedExitCode = false

    @Option(
        help: ArgumentHelp(
            "Save a plan to this file. `hubsend run --plan` then sends exactly what was previewed, or nothing. The plan contains checksums and counts, but no names.",
            valueName: "file"), completion: .file())
    var save: String?

    @Option(
        help: ArgumentHelp(
            "How long the plan that --save writes is valid, such as 12h or 7d.",
            valueName: "duration"),
        transform: DurationArgument.read)
    var maxAge: Duration?

    @Option(
        defaultAsFlag: ReachInquiry.Extent.sample,
        help: ArgumentHelp(
            "Ask the hub how many people have a device on each platform: for a sample of 200 people (the default) or for everybody, at the campaign's rate. Requires the hub's credentials.",
            valueName: "sample|all"))
    var reach: ReachInquiry.Extent?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if campaigns.isEmpty {
            throw sending.noCampaign("Name a campaign file, or a folder with campaign files.")
        }
        if maxAge != nil, save == nil {
            throw ValidationError("--max-age can only be used with --save.")
        }
        if let sample, !(1...PreviewOptions.mostSamples).contains(sample) {
            throw ValidationError(
                "--sample takes a number from 1 to \(PreviewOptions.mostSamples).")
        }
        if campaigns.contains("-"), campaigns.count > 1 {
            throw ValidationError("Standard input (-) must be the only campaign.")
        }
        if save != nil, !sending.to.isEmpty {
            throw ValidationError("A rehearsal cannot have a plan; leave out --to or --save.")
        }
    }

    func run() async throws {
        let invocation = Invocation.current()
        let hits = try CampaignFolder.campaigns(among: campaigns)
        let settings = try EffectiveSettings.load(
            options, campaigns: hits.map(\.path), invocation: invocation)
        guard save == nil || hits.count == 1 else {
            throw Refused("A plan is for one campaign; name one campaign file with --save.")
        }
        guard let extent = reach else { return try await show(hits, settings, reach: nil) }
        let logger = options.logger()
        let bar = ProgressBar(isShown: !options.quiet && invocation.isErrorTerminal)
        try await settings.requiredHub().connect(logger: logger) { connection in
            try await show(hits, settings, bar: bar) { planned, campaign in
                defer { bar.clear() }
                return try await ReachInquiry(extent: extent, observe: bar.update).estimate(
                    planned, of: campaign, at: connection, logger: logger)
            }
        }
    }

    private func show(
        _ hits: [CampaignSearch.Hit], _ settings: EffectiveSettings, bar: ProgressBar? = nil,
        reach: Preview.Reach?
    ) async throws {
        let previewOptions = PreviewOptions(
            format: format, mode: sending.mode, rehearsal: sending.rehearsal(settings),
            people: user, samples: sample,
            showsRequests: requests)
        let saving = save.map {
            PlanSaving(
                path: $0, longestAge: maxAge ?? SavedPlan.standardAge, version: Hubsend.version)
        }
        let preview = Preview(
            settings: settings, options: previewOptions, saving: saving, reach: reach)
        let (status, signal) = try await SignalWatch.run(onProgressRequest: { bar?.report() }) {
            try await preview.show(hits)
        }
        let isSilent = status == .wouldSend && !hasDetailedExitCode
        try (signal.map(ExitStatus.init) ?? (isSilent ? .done : status)).exit()
    }
}
