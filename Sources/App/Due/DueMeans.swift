import Logging
import ProcessControl
import Synchronization

/// What `run --due` needs from the executable: hubs, signals, words and exit codes.
final class DueMeans: Sendable {
    private let logger: Logger
    private let signal = Mutex<SignalWatch.Ending?>(nil)

    init(_ logger: Logger) {
        self.logger = logger
    }

    var means: DueRuns.Means {
        DueRuns.Means(
            program: .hubsend, logger: logger,
            connect: { [self, logger] hub, output, work in
                try await hub.connect(logger: logger) { connection in
                    do {
                        let result = try await SignalWatch.run(
                            onProgressRequest: output.bar.report, onSignal: output.sayStopping
                        ) {
                            try await work(connection)
                        }
                        note(result.signal)
                        return result.value
                    } catch let interruption as SignalWatch.Interruption {
                        note(interruption.ending)
                        throw CancellationError()
                    }
                }
            },
            explain: { Console.complain(FailureTranslation.end(for: $0)) },
            code: { [self] in status(of: $0).rawValue })
    }

    func status(of ends: [CampaignEnd]) -> ExitStatus {
        ExitStatus.combining(ends.map { ExitStatus($0) }).after(signal.withLock { $0 })
    }

    private func note(_ ending: SignalWatch.Ending?) {
        guard let ending else { return }
        signal.withLock { $0 = ending }
    }
}
