import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import Logging
import Reports
import Storage

/// One run from its start or continuation to its report.
struct RunSession: Sendable {
    let store: SQLiteStore
    let connection: HubConnection
    let settings: Settings
    let output: RunOutput
    let logger: Logger

    /// Runs a campaign.
    ///
    /// - Returns: its exit code.
    /// - Throws: what kept it from running.
    func run(_ item: PreparedRun) async throws -> ExitStatus {
        try await send(concurrency: item.request.campaign.delivery.concurrency) { runner in
            try await runner.run(item.request) {
                guard let planned = item.planned else {
                    throw CommandFailure(
                        .tryAgain,
                        "The run that was to be continued is gone; run campaign \(item.request.campaign.name) again."
                    )
                }
                return planned
            }
        }
    }

    /// Continues a run.
    ///
    /// - Parameters:
    ///   - record: which run.
    ///   - delivery: the policy as the campaign file has it now; nil: the one the run has.
    /// - Returns: its exit code.
    /// - Throws: what kept it from running.
    func resume(_ record: RunRecord, delivery: DeliveryPolicy?) async throws -> ExitStatus {
        try await send(concurrency: (delivery ?? record.delivery).concurrency) { runner in
            try await runner.resume(
                record.id, at: connection.identity, delivery: delivery)
        }
    }

    private func send(
        concurrency: Int,
        _ work: @escaping @Sendable (CampaignRunner) async throws -> Delivery.RunSummary
    ) async throws -> ExitStatus {
        let bar = output.progressBar()
        let (summary, signal) = try await SignalWatch.run(onProgressRequest: bar.report) {
            try await connection.withSender(concurrency: concurrency, logger: logger) { sender in
                let runner = CampaignRunner(
                    ledger: store, sender: sender, lock: StoreLock(besideStoreAt: store.path),
                    logger: logger, observe: bar.update)
                do {
                    let summary = try await work(runner)
                    bar.clear()
                    return summary
                } catch {
                    bar.clear()
                    throw error
                }
            }
        }
        return try await conclude(summary, signal)
    }

    /// Writes the report and says what happened.
    private func conclude(
        _ summary: Delivery.RunSummary, _ signal: ExitStatus?
    ) async throws -> ExitStatus {
        for warning in summary.warnings { Console.complain("hubsend: warning: \(warning)") }
        let status = Self.status(of: summary, signal)
        let record = summary.record
        var path: String?
        var failure: CommandFailure?
        if summary.end != .alreadyFinished || status != .done {
            let file =
                settings.reports + "/"
                + ReportFormat.csv.fileName(run: record.id, campaign: record.campaign)
            do {
                try await ReportFile(store: store, record: record).write(.csv, to: file)
                path = file
            } catch let error as CommandFailure {
                failure = CommandFailure(
                    error.status,
                    """
                    \(error.message) Run \(record.id) itself is recorded; write its report with: \
                    \(output.command("report", record.id))
                    """)
            }
        }
        try output.conclude(summary, status: status, report: path)
        if let failure {
            Console.complain("hubsend: \(failure.message)")
            return .combining([status, failure.status])
        }
        return status
    }

    private static func status(of summary: Delivery.RunSummary, _ signal: ExitStatus?) -> ExitStatus
    {
        switch summary.end {
        case .finished: summary.outcomes.troubled > 0 ? .troubled : .done
        case .alreadyFinished: .done
        case .stopped: .stopped
        case .paused(let cause, _):
            switch cause {
            case .cancelled: signal ?? .interrupted
            case .credentials: .credentials
            case .hubNotFound, .notAHub: .configuration
            case .unreachable, .throttled, .unanswering: .tryAgain
            }
        }
    }
}
