import CampaignCore
import CampaignFormat
import Delivery
import Files
import Foundation
import Logging
import Storage

/// A run that was sent as far as possible for now.
struct SentRun: Sendable {
    private static let mostMentioned = 100
    /// The maximum number of people for which a local hub is asked about devices.
    private static let mostAskedAbout = 1_000

    let run: PlannedRun
    let summary: RunSummary
    let call: RunCall
    let connection: HubConnection
    let store: any Store

    private var record: RunRecord { summary.record }

    /// Prints how the run ended, with its warnings first because reading the store may fail.
    ///
    /// - Parameter isNews: whether to print more than the JSON object.
    func announce(isNews: Bool = true) async throws -> [CampaignEnd] {
        for warning in isNews ? summary.warnings : [] {
            Console.complain("hubsend: warning: \(warning)")
        }
        return try call.announce(try await concluded(), isNews: isNews)
    }

    /// Writes the report, and reads the data for the summary.
    private func concluded() async throws -> ConcludedRun {
        if !run.isFallback { call.watch.note(summary) }
        let (report, unwritten) = await writeReport()
        var overview = try await RunOverview(
            of: record, in: store, mostReasons: RunOverview.mostReasons)
        // Other processes may continue the run, so these are the counts when this process stopped.
        overview.run = record
        (overview.outcomes, overview.report) = (summary.outcomes, report)
        return ConcludedRun(
            summary: summary, overview: overview, plan: run.request?.plan, origin: origin,
            unfinished: try await unfinished(), unwritten: unwritten)
    }

    /// If the hub is local, says how many people have no device; otherwise, says how to find out.
    func mentionDevices() async throws {
        guard call.isChatty, summary.result == .finished, !record.isRehearsal,
            let request = run.request, let audience = run.audience, request.campaignPath != "-"
        else { return }
        guard connection.isLoopback else {
            var search = RunSearch(of: record.campaign, at: record.hub)
            search.limit = 2
            if try await store.runs(search).count == 1 {
                call.sayDevices(without: nil, of: record)
            }
            return
        }
        guard audience.plan.counts.final <= Self.mostAskedAbout else { return }
        do {
            let reach = try await ReachInquiry(extent: .all, isPaced: false).estimate(
                audience, of: request.campaign, at: connection, logger: call.logger)
            call.sayDevices(
                without: reach.peopleWithoutDevice.count, of: record)
        } catch is ReachError {
            call.logger.info("The hub does not say who has a device")
        }
    }

    private func writeReport() async -> (path: String?, failure: ReportNotWritten?) {
        // Other processes are still sending, so the report would be premature.
        if case .left = summary.result { return (nil, nil) }
        let path = Path.file(
            ReportFormat.csv.fileName(run: record.id, campaign: record.campaign),
            in: call.settings.reports)
        // If nothing was left to send, only a missing report is written.
        guard summary.result != .alreadyFinished || !FileManager.default.fileExists(atPath: path)
        else { return (path, nil) }
        // The report's rows were deleted from the store.
        guard record.deliveriesDeleted == nil else { return (nil, nil) }
        do {
            try await ReportFile(store: store, record: record).write(
                .csv, to: path, makesFolder: true)
            return (path, nil)
        } catch {
            let remedy = """
                Run \(record.id) itself is recorded; write its report with: \
                \(call.settings.command("report", record.id.text))
                """
            // `resume` would continue an unfinished run, even a stopped one, and would not replace
            // an existing report.
            let isFixed =
                record.state == .finished && run.isFoundFinishedAgain
                && !FileManager.default.fileExists(atPath: path)
            return (
                nil, ReportNotWritten(cause: error, remedy: remedy, isFixedByRerun: isFixed)
            )
        }
    }

    /// The other file that a finished run was started from; nil if the file was renamed or moved.
    private var origin: String? {
        guard summary.result == .alreadyFinished, !summary.changed.isEmpty,
            let file = run.request?.campaignPath, file != "-",
            Path.resolved(record.campaignPath) != Path.resolved(file),
            call.settings.campaign(of: record) != nil
        else { return nil }
        return record.campaignPath
    }

    /// The campaign's paused and stopped runs, if this run was already finished.
    private func unfinished() async throws -> [RunRecord] {
        guard summary.result == .alreadyFinished else { return [] }
        var found: [RunRecord] = []
        for known in try await store.unfinished(campaign: record.campaign, at: record.hub)
            .prefix(Self.mostMentioned)
        {
            let run = await known.withLiveState(in: store)
            if [.paused, .stopped].contains(run.state) { found.append(run) }
        }
        return found
    }
}
