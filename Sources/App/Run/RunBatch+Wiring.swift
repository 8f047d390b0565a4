import ProcessControl

extension RunBatch {
    /// - Parameters:
    ///   - asks: whether a terminal is asked before pushes leave this machine.
    ///   - isNow: whether campaigns may be sent before their scheduled start.
    ///   - patience: how long to wait for another process that works on a campaign.
    ///   - isWatched: whether heartbeat and metrics are used.
    init(
        _ settings: EffectiveSettings, _ options: GlobalOptions, asks: Bool,
        isNow: Bool = false, patience: Duration?, isJSON: Bool, isWatched: Bool = true
    ) {
        let output = RunOutput(settings: settings, isJSON: isJSON, isQuiet: options.quiet) {
            Console.complain(FailureTranslation.end(for: $0))
        }
        let logger = options.logger()
        let watch = isWatched ? RunWatch(settings, as: .hubsend, logger: logger) : nil
        self.init(
            settings: settings, asks: asks, isNow: isNow, patience: patience ?? .zero,
            output: output,
            logger: logger, watch: watch)
    }

    /// Does a command's work, and tells watchers how it ended, unless a person said no.
    func watched(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch {
            if !(error is ConsentRefused) {
                await watch?.end(code: FailureTranslation.end(for: error).status.rawValue)
            }
            throw error
        }
        await watch?.end(code: ExitStatus.done.rawValue)
    }

    /// Connects for some work, which a signal ends in order, and ends with its exit code.
    ///
    /// - Parameter work: returns how it ended with each campaign.
    /// - Throws: ``CommandEnd`` unless all is done; what prevented all of it.
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
