import CampaignCore
import CampaignFormat
import Delivery
import Files
import Foundation
import Logging
import NotificationHubs
import Reports
import Storage

/// One run from its start or continuation to its report.
struct RunExecution: Sendable {
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
        do {
            return try await begin(item)
        } catch RunError.stopped(let id) {
            try await output.refuseStopped(id, in: store)
            return .stopped
        } catch RunError.unfinished(let id, _, let state, let left) {
            try await output.refuseAgain(id, left: left, in: store)
            return state == .stopped ? .stopped : .tryAgain
        } catch is CancellationError {
            throw CommandFailure(
                .interrupted,
                "campaign \(item.request.campaign.name): interrupted before anything of it was sent"
            )
        } catch RunError.locked(let campaign) {
            throw CommandFailure(
                .tryAgain,
                """
                Campaign \(campaign): another process works on it; wait until that has ended, or stop it with: \
                \(settings.command("stop", campaign))
                """)
        }
    }

    private func begin(_ item: PreparedRun) async throws -> ExitStatus {
        try await send(
            concurrency: item.request.campaign.delivery.concurrency,
            from: item.request.campaignPath
        ) { runner in
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
    ///   - campaign: the campaign file as it is now; nil: the run goes on with its own settings.
    /// - Returns: its exit code.
    /// - Throws: what kept it from running.
    func resume(_ record: RunRecord, campaign: Campaign?) async throws -> ExitStatus {
        try await send(concurrency: (campaign?.delivery ?? record.delivery).concurrency) { runner in
            try await runner.resume(
                record.id, at: connection.identity, campaign: campaign)
        }
    }

    private func send(
        concurrency: Int, from file: String? = nil,
        _ work: @escaping @Sendable (CampaignRunner) async throws -> Delivery.RunSummary
    ) async throws -> ExitStatus {
        let bar = output.bar
        let summary = try await connection.withClient(concurrency: concurrency, logger: logger) {
            client in
            let runner = CampaignRunner(
                ledger: store, sender: HubPushSender(client: client),
                lock: StoreLock(ofStoreAt: store.path), logger: logger, observe: bar.update,
                observeStaging: bar.update)
            defer { bar.clear() }
            return try await work(runner)
        }
        return try await conclude(summary, from: file)
    }

    /// Writes the report and says what happened.
    private func conclude(
        _ summary: Delivery.RunSummary, from file: String?
    ) async throws -> ExitStatus {
        let origin = file.flatMap { Self.origin(of: summary.record, otherThan: $0) }
        try await output.mentionUnfinished(beside: summary, in: store)
        for warning in summary.warnings { Console.complain("hubsend: warning: \(warning)") }
        let status = Self.status(of: summary)
        let record = summary.record
        let reportFile = Path.file(
            ReportFormat.csv.fileName(run: record.id, campaign: record.campaign),
            in: settings.reports)
        var failure: CommandFailure?
        // A report that a crash, or somebody, has taken away is written by the rerun that finds nothing to send.
        if summary.result != .alreadyFinished || !FileManager.default.fileExists(atPath: reportFile)
        {
            do {
                try await ReportFile(store: store, record: record).write(.csv, to: reportFile)
            } catch {
                let error = FailureTranslation.failure(for: error)
                failure = CommandFailure(
                    error.status,
                    """
                    \(error.message) Run \(record.id) itself is recorded; write its report with: \
                    \(settings.command("report", record.id.text))
                    """)
            }
        }
        let path = failure == nil ? reportFile : nil
        let reach = try await store.reach(record.id)
        let reasons =
            summary.outcomes.hasReasons
            ? try await store.reasons(record.id, limit: RunOverview.mostReasons) : []
        try output.conclude(
            summary, reach: reach, reasons: reasons, status: status, report: path,
            origin: origin)
        if let failure {
            Console.complain(failure)
            return .combining([status, failure.status])
        }
        return status
    }

    /// The file that a run was begun from when that is another one than it was asked for with; nil as a rule, and when the file was
    /// only renamed or moved.
    private static func origin(of record: RunRecord, otherThan file: String) -> String? {
        let begun = record.campaignPath
        guard begun != "-", file != "-", begun != file else { return nil }
        guard FileManager.default.fileExists(atPath: begun) else { return nil }
        return Path.resolved(begun) == Path.resolved(file) ? nil : begun
    }

    private static func status(of summary: Delivery.RunSummary) -> ExitStatus {
        switch summary.result {
        case .alreadyFinished where summary.wasEnded: .stopped
        case .finished, .alreadyFinished: summary.outcomes.troubled > 0 ? .troubled : .done
        case .stopped, .ended: .stopped
        case .paused(let cause, _):
            switch cause {
            case .cancelled: .interrupted
            case .credentials: .credentials
            case .hubNotFound, .notAHub: .configuration
            case .unreachable, .throttled, .unanswering, .tooManyFailures: .tryAgain
            }
        }
    }
}

extension Delivery.RunSummary {
    /// Whether `hubsend stop` ended the run for good before all of it was sent.
    fileprivate var wasEnded: Bool {
        outcomes[.notAttempted] > 0 && record.state == .finished
            || record.revoked != nil && outcomes.revoked > 0
    }
}
