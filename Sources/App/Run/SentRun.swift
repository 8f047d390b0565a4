import CampaignCore
import CampaignFormat
import Delivery
import Files
import Foundation
import Logging
import Storage

/// A run that was sent as far as it goes now.
struct SentRun: Sendable {
    private static let mostMentioned = 100
    /// The most people whose devices a hub on this machine is asked about.
    private static let mostAskedAbout = 1_000

    let run: PlannedRun
    let summary: RunSummary
    let call: RunCall
    let connection: HubConnection
    let store: any Store

    private var record: RunRecord { summary.record }

    /// Says how the run ended; its warnings first, since a look into the store may fail.
    ///
    /// - Parameter isNews: whether a person is told.
    func told(isNews: Bool = true) async throws -> [CampaignEnd] {
        for warning in isNews ? summary.warnings : [] {
            Console.complain("hubsend: warning: \(warning)")
        }
        return try call.tell(try await concluded(), isNews: isNews)
    }

    /// Writes the report, and looks up what is said of the run.
    private func concluded() async throws -> ConcludedRun {
        if !run.isFallback { call.watch.note(summary) }
        let (report, unwritten) = await writeReport()
        var overview = try await RunOverview(
            of: record, in: store, mostReasons: RunOverview.mostReasons)
        // Other processes may continue the run; these are the counts when this one stopped.
        overview.run = record
        (overview.outcomes, overview.report) = (summary.outcomes, report)
        return ConcludedRun(
            summary: summary, overview: overview, plan: run.request?.plan, origin: origin,
            unfinished: try await unfinished(), unwritten: unwritten)
    }

    /// Names people without a device if a local hub was just sent to, or says how to ask.
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
            call.sayDevices(without: reach.peopleWithoutDevice.count, of: record)
        } catch is ReachFault {
            call.logger.info("The hub does not say who has a device")
        }
    }

    private func writeReport() async -> (path: String?, failure: ReportNotWritten?) {
        // The report would list pushes as unsent that others still send.
        if case .left = summary.result { return (nil, nil) }
        let path = Path.file(
            ReportFormat.csv.fileName(run: record.id, campaign: record.campaign),
            in: call.settings.reports)
        // A rerun without work writes a report that is missing after a crash or deletion.
        guard summary.result != .alreadyFinished || !FileManager.default.fileExists(atPath: path)
        else { return (path, nil) }
        // The rows of the report were deleted from the store.
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
            // `resume` would continue a run that is not at its end, even a stopped one. A report
            // from before that end would be left alone.
            let isMended =
                record.state == .finished && run.isFoundFinishedAgain
                && !FileManager.default.fileExists(atPath: path)
            return (
                nil, ReportNotWritten(cause: error, remedy: remedy, isMendedByRerun: isMended)
            )
        }
    }

    /// The other file that a finished run was begun from; nil if the file was renamed or moved.
    private var origin: String? {
        guard summary.result == .alreadyFinished, !summary.changed.isEmpty,
            let file = run.request?.campaignPath, file != "-",
            Path.resolved(record.campaignPath) != Path.resolved(file),
            call.settings.campaign(of: record) != nil
        else { return nil }
        return record.campaignPath
    }

    /// The campaign's runs that wait for a person, if this one was found finished.
    private func unfinished() async throws -> [RunRecord] {
        guard summary.result == .alreadyFinished else { return [] }
        var found: [RunRecord] = []
        for known in try await store.unfinished(campaign: record.campaign, at: record.hub)
            .prefix(Self.mostMentioned)
        {
            let run = await known.standing(in: store)
            if [.paused, .stopped].contains(run.state) { found.append(run) }
        }
        return found
    }
}
