package import CampaignCore
package import CampaignOperations
package import Logging
import ProcessControl
package import Settings
import Terminal

extension TelemetryInquiry {
    /// Connects to the hub of the settings and asks it about a run's messages; says on stderr what there is to say of the answers.
    ///
    /// Whoever interrupts it when all was asked goes on all the same.
    ///
    /// - Parameters:
    ///   - record: the run.
    ///   - settings: those of the command.
    ///   - program: who asks.
    ///   - isQuiet: whether only failures are told.
    ///   - logger: where hub and client log.
    /// - Returns: why not all could be learnt; nil as a rule.
    package static func failure(
        about record: RunRecord, _ settings: EffectiveSettings, as program: HubCaller,
        isQuiet: Bool, logger: Logger
    ) async -> (any Error)? {
        let bar = ProgressBar(isShown: !isQuiet && settings.invocation.isErrorTerminal)
        defer { bar.clear() }
        do {
            try await settings.requiredHub().connect(as: program, logger: logger) { connection in
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
