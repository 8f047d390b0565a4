import ArgumentParser
import CampaignCore
import CampaignFormat
import Delivery
import ProcessControl

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Stores payloads, sends pushes, records outcomes, writes the report.",
        discussion: """
            Continues the campaign's unfinished run if there is one; what is finished is not sent again, and the exit \
            code is that of the finished run. On a terminal \
            it asks before it sends to a hub that is not on this machine; from cron it does not. Several campaigns are \
            all checked first, then run in order. A campaign whose schedule starts it later is sent before only after a \
            question, or with --now. Ctrl-C is safe: what was sent is recorded, and the same command \
            continues.

            --due is for a crontab, each minute: it sends what the schedules of all campaigns in files and folders say, \
            once, however many hosts call it with one store, and goes on with what was interrupted. It is silent when \
            nothing is due.
            """)

    @Argument(
        help: "Campaign files; before --to. With --due also folders; default: the current folder.",
        completion: .campaigns)
    var campaigns: [String] = []

    @OptionGroup var sending: SendingOptions

    @Flag(help: "Send what is due by the campaigns' schedules, and go on with interrupted runs.")
    var due = false

    @Flag(help: "Send although the campaign's schedule starts it later.")
    var now = false

    @Option(help: .wait, transform: DurationArgument.read)
    var wait: Duration?

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
        if due { return try validateDue() }
        if wait != nil, dryRun {
            throw ValidationError("A dry run waits for nobody; leave --wait or --dry-run out.")
        }
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

    /// Options cannot change what is due, which schedules decide.
    private func validateDue() throws {
        let others = [
            sending.given, plan.map { _ in "--plan" }, dryRun ? "--dry-run" : nil,
            now ? "--now" : nil, wait.map { _ in "--wait" },
        ]
        if let other = others.compactMap(\.self).first {
            throw ValidationError(
                "--due sends what the campaigns' schedules say, and leaves alone what another process works on; leave \(other) or --due out."
            )
        }
        if campaigns.contains("-") {
            throw ValidationError(
                "--due reads files and folders again in each call; standard input (-) cannot be.")
        }
    }

    func run() async throws {
        if due { return try await runDue() }
        if dryRun { return try await preview() }
        try CampaignFolder.refuse(campaigns, .current())
        let settings = try EffectiveSettings.load(options, campaigns: campaigns)
        // The plan is read before connecting, so an unreadable plan is the first error.
        let saved = try plan.map { try OpenedPlan($0, version: Hubsend.version) }
        let rehearsal = sending.rehearsal(settings)
        let call = RunCall(settings, order)
        if rehearsal != nil { call.watch.mute() }
        try await call.finish {
            let read = try await ReadCampaigns(campaigns, by: call)
            return try await call.connect(to: read.hub) { [mode = sending.mode] connection in
                try await read.planned(
                    as: mode, rehearsal: rehearsal, keepingTo: saved, at: connection
                ).agreed().send()
            }
        }
    }

    private var order: RunOrder {
        RunOrder(
            asks: !yes, isNow: now, patience: wait ?? .zero, isJSON: json, isQuiet: options.quiet,
            logger: options.logger())
    }

    private func runDue() async throws {
        let due = DueRuns(flags: options.flags, invocation: .current(), order: order)
        try ExitStatus(await due.work(on: campaigns)).exit()
    }

    private func preview() async throws {
        let hits = try CampaignFolder.campaigns(among: campaigns)
        let settings = try EffectiveSettings.load(options, campaigns: hits.map(\.path))
        let order = PreviewOrder(
            format: json ? .json : .text, mode: sending.mode,
            rehearsal: sending.rehearsal(settings))
        let status = try await Preview(settings: settings, order: order).show(hits)
        if status != .wouldSend { try status.exit() }
    }
}
