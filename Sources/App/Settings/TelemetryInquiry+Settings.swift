import CampaignCore
import Logging
import ProcessControl

extension TelemetryInquiry {
    /// Asks the hub of the settings about a run's messages; returns the error that ended it early.
    ///
    /// A signal after the last response has no effect.
    static func failure(
        about record: RunRecord, _ settings: EffectiveSettings,
        isQuiet: Bool, logger: Logger
    ) async -> (any Error)? {
        let bar = ProgressBar(isShown: !isQuiet && settings.invocation.isErrorTerminal)
        defer { bar.clear() }
        do {
            try await settings.requiredHub().connect(logger: logger) { connection in
                let (result, _) = try await SignalWatch.run(onProgressRequest: bar.report) {
                    try await ask(
                        about: record, at: connection, settings, logger: logger,
                        observe: bar.update)
                }
                bar.clear()
                if let sentence = result.sentence, !isQuiet {
                    Console.complain("hubsend: \(sentence)")
                }
            }
            return nil
        } catch {
            return error
        }
    }
}
