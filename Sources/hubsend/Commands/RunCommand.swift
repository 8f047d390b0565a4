import ArgumentParser
import CampaignCore
import CampaignFormat
import CampaignOperations
import Delivery
import Settings

/// `hubsend run`.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Stores payloads, sends pushes, records outcomes, writes the report.",
        discussion: """
            Continues the campaign's unfinished run if there is one; what is finished is not sent again, and the exit \
            code is that of the finished run. On a terminal \
            it asks before it sends to a hub that is not on this machine; from cron it does not. Several campaigns are \
            all checked first, then run in order. Ctrl-C is safe: what was sent is recorded, and the same command \
            continues.
            """)

    @Argument(help: "Campaign files; before --to.", completion: .campaigns)
    var campaigns: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "A rehearsal to these members of the audience or testers; no occurrence of the campaign, in no statistics.",
            valueName: "user"),
        transform: Username.argument)
    var to: [Username] = []

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "Fill in the values of this member of the audience for everybody of the rehearsal.",
            valueName: "user"),
        transform: Username.argument)
    var model: Username?

    @Flag(help: "Send a campaign once more that was sent before.")
    var again = false

    @Option(
        help: ArgumentHelp(
            "With --again: only to those whose deliveries in the last finished run ended so, such as failed,rejected,unknown.",
            valueName: "outcomes"),
        transform: OutcomesArgument.read)
    var only: Set<Outcome>?

    @Option(
        help: ArgumentHelp(
            "Which sending this is, such as a date; each key is sent once.", valueName: "key"),
        transform: Occurrence.argument)
    var occurrence: Occurrence?

    @Option(
        help: ArgumentHelp(
            "Send only if all is still as this plan of `hubsend preview --save` has it; else say what was changed.",
            valueName: "file"))
    var plan: String?

    @Flag(help: "Print one JSON object for each campaign on stdout.")
    var json = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @Flag(help: "The same as `hubsend preview`.")
    var dryRun = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if campaigns.isEmpty {
            throw ValidationError(
                to.isEmpty
                    ? "Name a campaign file."
                    : "Name the campaign file before --to, which takes all that follows it as usernames."
            )
        }
        guard [again, occurrence != nil, !to.isEmpty].count(where: { $0 }) <= 1 else {
            throw ValidationError("Only one of --to, --again and --occurrence can be given.")
        }
        if only != nil, !again {
            throw ValidationError(
                "--only goes with --again: it sends once more, to those whom the last run left.")
        }
        if model != nil, to.isEmpty {
            throw ValidationError("--as goes with --to: it says whose values a rehearsal has.")
        }
        if plan != nil {
            if campaigns.count > 1 { throw ValidationError("A plan is for one campaign.") }
            if !to.isEmpty {
                throw ValidationError("A rehearsal has no plan; leave --to or --plan out.")
            }
            if dryRun {
                throw ValidationError(
                    "--plan sends what a preview has shown; leave --dry-run or --plan out.")
            }
        }
        if campaigns.contains("-"), campaigns.count > 1 {
            throw ValidationError("Standard input (-) can only be run alone.")
        }
        if Set(campaigns).count != campaigns.count {
            throw ValidationError("A campaign is named twice.")
        }
    }

    func run() async throws {
        if dryRun { return try await preview() }
        try CampaignFolder.refuse(campaigns, for: "run")
        let settings = try EffectiveSettings.load(options, campaigns: campaigns)
        // Before anything is connected to: a plan that cannot be read is the first thing that is wrong.
        let saved = try plan.map { try OpenedPlan($0, version: Hubsend.version) }
        let batch = RunBatch(settings, options, asks: !yes, isJSON: json)
        let campaigns = try await batch.read(self.campaigns)
        let (mode, rehearsal) = (self.mode, settings.rehearsal(to: to, as: model))
        try await batch.send(to: campaigns.hub) { connection in
            try await batch.run(
                campaigns, as: mode, rehearsal: rehearsal, keepingTo: saved, at: connection)
        }
    }

    private var mode: RunRequest.Mode {
        if again { return only.map { .rest($0) } ?? .again }
        if !to.isEmpty { return .rehearsal }
        return .occurrence(occurrence ?? .once)
    }

    private func preview() async throws {
        let hits = try CampaignFolder.campaigns(among: campaigns)
        let settings = try EffectiveSettings.load(options, campaigns: hits.map(\.path))
        let order = PreviewOrder(
            format: json ? .json : .text, mode: mode,
            rehearsal: settings.rehearsal(to: to, as: model))
        let ends = try await Preview(settings: settings, order: order, by: .hubsend).show(hits)
        try CommandEnd.exit(ExitStatus(ends, isDetailed: false))
    }
}
