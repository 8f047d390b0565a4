import ArgumentParser
import CampaignCore
import CampaignFormat
import Delivery
import ProcessControl

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Stores payloads, sends pushes, records outcomes and writes the report.",
        discussion: """
            Continues the campaign's unfinished run if there is one. A finished run is not sent again; the command \
            exits with that run's exit code. On a terminal, asks for confirmation before sending to a hub that is \
            not on this machine; does not ask when cron runs it. If several campaigns are given, all are checked \
            first and then run in order. A campaign that is scheduled for later is sent early only after \
            confirmation, or with --now. Ctrl-C is safe: what was sent is recorded, and the same command continues.

            --due is for a crontab entry that runs every minute. It sends the campaigns in the \
            given files and folders that are due according to their schedules, and continues \
            interrupted runs. Each start is sent exactly once, even if several hosts that share a \
            store run the command. It prints nothing if nothing is due.
            """)

    @Argument(
        help:
            "Campaign files, before --to. With --due, folders are allowed too; the default is then the current folder.",
        completion: .campaigns)
    var campaigns: [String] = []

    @OptionGroup var sending: SendingOptions

    @Flag(
        help:
            "Send the campaigns that are due according to their schedules, and continue interrupted runs."
    )
    var due = false

    @Flag(help: "Send now, even if the campaign is scheduled for later.")
    var now = false

    @Option(help: .wait, transform: DurationArgument.read)
    var wait: Duration?

    @Option(
        help: ArgumentHelp(
            "Send only if nothing has changed since `hubsend preview --save` saved this plan; otherwise list what has changed.",
            valueName: "file"), completion: .file())
    var plan: String?

    @Flag(help: "Print one JSON object per campaign on stdout.")
    var json = false

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @Flag(help: "The same as `hubsend preview`.")
    var dryRun = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if due { return try validateDue() }
        if wait != nil, dryRun {
            throw ValidationError("A dry run does not wait; leave out --wait or --dry-run.")
        }
        if campaigns.isEmpty { throw sending.noCampaign("Name a campaign file.") }
        if plan != nil {
            if campaigns.count > 1 {
                throw ValidationError("A plan is for one campaign; name only one campaign.")
            }
            if !sending.to.isEmpty {
                throw ValidationError("A rehearsal cannot have a plan; leave out --to or --plan.")
            }
            if dryRun {
                throw ValidationError(
                    "--plan sends what a preview has shown; leave out --dry-run or --plan.")
            }
        }
        if campaigns.contains("-"), campaigns.count > 1 {
            throw ValidationError("Standard input (-) must be the only campaign.")
        }
        if Set(campaigns).count != campaigns.count {
            throw ValidationError("The same campaign file is named twice.")
        }
    }

    /// Rejects options that contradict --due, because only schedules determine what is due.
    private func validateDue() throws {
        let others = [
            sending.given, plan.map { _ in "--plan" }, dryRun ? "--dry-run" : nil,
            now ? "--now" : nil, wait.map { _ in "--wait" },
        ]
        if let other = others.compactMap(\.self).first {
            throw ValidationError(
                "--due follows only the campaigns' schedules; leave out \(other) or --due."
            )
        }
        if campaigns.contains("-") {
            throw ValidationError(
                "--due cannot be used with standard input (-): it reads the files again each time.")
        }
    }

    func run() async throws {
        if due { return try await runDue() }
        if dryRun { return try await preview() }
        try CampaignFolder.refuse(campaigns, .current())
        let settings = try EffectiveSettings.load(options, campaigns: campaigns)
        // The plan is read before connecting, so that an unreadable plan is reported first.
        let saved = try plan.map { try OpenedPlan($0, version: Hubsend.version) }
        let rehearsal = sending.rehearsal(settings)
        let call = RunCall(settings, runOptions)
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

    private var runOptions: RunOptions {
        RunOptions(
            asks: !yes, isNow: now, patience: wait ?? .zero, isJSON: json, isQuiet: options.quiet,
            logger: options.logger())
    }

    private func runDue() async throws {
        let due = DueRuns(flags: options.flags, invocation: .current(), order: runOptions)
        try ExitStatus(await due.work(on: campaigns)).exit()
    }

    private func preview() async throws {
        let hits = try CampaignFolder.campaigns(among: campaigns)
        let settings = try EffectiveSettings.load(options, campaigns: hits.map(\.path))
        let preview = PreviewOptions(
            format: json ? .json : .text, mode: sending.mode,
            rehearsal: sending.rehearsal(settings))
        let status = try await Preview(settings: settings, options: preview).show(hits)
        if status != .wouldSend { try status.exit() }
    }
}
