import Foundation
import Logging
import ProcessControl

/// The options of `run` and `resume` that apply to all campaigns.
struct RunOptions: Sendable {
    /// Whether to ask for confirmation on a terminal before pushes leave this machine.
    var asks = true
    /// Whether campaigns may be sent before their scheduled start.
    var isNow = false
    /// How long to wait if another process is working on a campaign.
    var patience: Duration = .zero
    var isJSON = false
    var isQuiet = false
    let logger: Logger
    /// Prints why one campaign of several failed.
    var explain: @Sendable (any Error) -> Void = { Console.complain($0) }
}

/// One call of `run`, `resume` or `run --due`, for campaigns with the same settings.
///
/// Each of its stages is a value that is created from the previous one: ``ReadCampaigns``,
/// ``PlannedRuns``, ``AgreedRuns``, ``SentRun``, ``ConcludedRun``. The commands differ only in how
/// they plan.
struct RunCall: Sendable {
    let settings: EffectiveSettings
    let options: RunOptions
    let watch: RunWatch
    let bar: ProgressBar

    var logger: Logger { options.logger }

    init(
        _ settings: EffectiveSettings, _ options: RunOptions,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.settings = settings
        self.options = options
        watch = RunWatch(settings, logger: options.logger, now: now)
        let isTerminal = settings.invocation.isErrorTerminal && !options.isQuiet
        bar = ProgressBar(
            isShown: isTerminal && !options.isJSON && settings.invocation["TERM"] != "dumb",
            reportsTrouble: isTerminal)
    }

    /// Does the work of a command, reports its end to the heartbeat and the metrics, and exits.
    func finish(_ work: () async throws -> [CampaignEnd]) async throws {
        let status: ExitStatus
        do {
            status = ExitStatus(try await work())
        } catch {
            // A run that a person declined is not reported.
            if error as? Refused != .declined {
                await watch.end(code: Refused(for: error).status.rawValue)
            }
            throw error
        }
        await watch.end(code: status.rawValue)
        try status.exit()
    }

    /// Connects to a hub and does the given work; a signal ends the work cleanly.
    func connect(
        to hub: HubChoice,
        _ work: @escaping @Sendable (HubConnection) async throws -> [CampaignEnd]
    ) async throws -> [CampaignEnd] {
        try await hub.connect(logger: logger) { connection in
            let (ends, signal) = try await SignalWatch.run(
                onProgressRequest: bar.report, onSignal: sayStopping
            ) {
                try await work(connection)
            }
            guard let signal else { return ends }
            return ends.map { ExitStatus($0) == .interrupted ? .signalled(signal) : $0 }
        }
    }
}

extension ExitStatus {
    init(_ ends: [CampaignEnd]) {
        self = .combining(ends.map { ExitStatus($0) })
    }
}
