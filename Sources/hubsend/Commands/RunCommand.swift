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

    @OptionGroup var sending: SendingOptions

    @Option(
        help: ArgumentHelp(
            "Send only if all is still as this plan of `hubsend preview --save` has it; else say what was changed.",
            valueName: "file"), completion: .file())
    var plan: String?

    @Flag(help: "Print one JSON object for each campaign on stdout.")
    var json = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @Flag(help: "The same as `hubsend preview`.")
    var dryRun = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if campaigns.isEmpty { throw sending.noCampaign("Name a campaign file.") }
        if plan != nil {
            if campaigns.count > 1 { throw ValidationError("A plan is for one campaign.") }
            if !sending.to.isEmpty {
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
        let (mode, rehearsal) = (sending.mode, sending.rehearsal(settings))
        let batch = RunBatch(
            settings, options, asks: !yes, isJSON: json, isWatched: rehearsal == nil)
        try await batch.watched {
            let campaigns = try await batch.read(self.campaigns)
            try await batch.send(to: campaigns.hub) { connection in
                try await batch.run(
                    campaigns, as: mode, rehearsal: rehearsal, keepingTo: saved, at: connection)
            }
        }
    }

    private func preview() async throws {
        let hits = try CampaignFolder.campaigns(among: campaigns)
        let settings = try EffectiveSettings.load(options, campaigns: hits.map(\.path))
        let order = PreviewOrder(
            format: json ? .json : .text, mode: sending.mode,
            rehearsal: sending.rehearsal(settings))
        let ends = try await Preview(settings: settings, order: order, by: .hubsend).show(hits)
        try CommandEnd.exit(ExitStatus(ends, isDetailed: false))
    }
}
