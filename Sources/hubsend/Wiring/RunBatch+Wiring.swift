import CampaignOperations
import ProcessControl
import Settings
import Terminal

extension RunBatch {
    /// A batch of a command.
    ///
    /// - Parameters:
    ///   - settings: its settings.
    ///   - options: its options.
    ///   - asks: whether a terminal is asked before pushes leave this machine.
    ///   - isJSON: whether stdout gets an object for each campaign.
    init(_ settings: EffectiveSettings, _ options: GlobalOptions, asks: Bool, isJSON: Bool) {
        let output = RunOutput(settings: settings, isJSON: isJSON, isQuiet: options.quiet) {
            Console.complain(FailureTranslation.end(for: $0))
        }
        self.init(settings: settings, asks: asks, output: output, logger: options.logger())
    }

    /// Connects to a hub for the time of some work, which a signal ends in order, and ends the command with its exit code.
    ///
    /// - Parameters:
    ///   - hub: the hub.
    ///   - work: sends, and tells how it ended with each campaign.
    /// - Throws: ``CommandEnd`` unless all is done; what kept all of it from being done.
    func send(
        to hub: HubChoice,
        _ work: @escaping @Sendable (HubConnection) async throws -> [CampaignEnd]
    ) async throws {
        let status = try await hub.connect(logger: logger) { connection in
            let result = try await SignalWatch.run(
                onProgressRequest: output.bar.report, onSignal: output.sayStopping
            ) {
                try await work(connection)
            }
            return ExitStatus.combining(result.value.map { ExitStatus($0) }).after(result.signal)
        }
        try CommandEnd.exit(status)
    }
}
