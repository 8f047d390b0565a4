import Foundation
import Logging
import ProcessControl

/// How a person wants campaigns to be sent.
struct RunOrder: Sendable {
    /// Whether a terminal is asked before pushes leave this machine.
    var asks = true
    /// Whether campaigns may be sent before their scheduled start.
    var isNow = false
    /// How long to wait for another process that works on a campaign.
    var patience: Duration = .zero
    var isJSON = false
    var isQuiet = false
    let logger: Logger
    /// Says on stderr what failed with one campaign of several.
    var explain: @Sendable (any Error) -> Void = { Console.complain($0) }
}

/// A call of `run`, `resume` or `run --due`, for campaigns with the same settings.
///
/// Its stages are values, each made of the one before: ``ReadCampaigns``, ``PlannedRuns``,
/// ``AgreedRuns``, ``SentRun``, ``ConcludedRun``. The commands differ in how they plan.
struct RunCall: Sendable {
    let settings: EffectiveSettings
    let order: RunOrder
    let watch: RunWatch
    let bar: ProgressBar

    var logger: Logger { order.logger }

    init(
        _ settings: EffectiveSettings, _ order: RunOrder,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.settings = settings
        self.order = order
        watch = RunWatch(settings, logger: order.logger, now: now)
        let isTerminal = settings.invocation.isErrorTerminal && !order.isQuiet
        bar = ProgressBar(
            isShown: isTerminal && !order.isJSON && settings.invocation["TERM"] != "dumb",
            tellsTrouble: isTerminal)
    }

    /// Does a command's work, tells watchers how it ended, and ends with its exit code.
    func finish(_ work: () async throws -> [CampaignEnd]) async throws {
        let status: ExitStatus
        do {
            status = ExitStatus(try await work())
        } catch {
            // After a person said no, there is nothing to tell.
            if error as? Refused != .byPerson {
                await watch.end(code: Refused(for: error).status.rawValue)
            }
            throw error
        }
        await watch.end(code: status.rawValue)
        try status.exit()
    }

    /// Connects for some work, which a signal ends in order.
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
