import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct UnwrittenReportTests {
    /// The command that the test repeats.
    enum Command {
        case run, again, againByPlan, due, resume
        /// `hubsend run`, which `hubsend stop` stops before anything is sent.
        case stopped
    }

    private let place: DueFixture

    init() throws {
        place = try DueFixture()
        try place.folder.write(
            "store: store.sqlite\nreports: reports\n", to: "hubsend.yaml", mode: 0o600)
        try place.write("spring", schedule: nil)
    }

    private var campaign: String { place.folder.file("spring.yaml") }

    /// Exit code 75 tells scripts to repeat the command, so it is only used if that helps.
    @Test(
        "Running again is suggested only if that just writes the report",
        arguments: [
            (Command.run, true), (.again, false), (.againByPlan, true), (.due, false),
            (.resume, true), (.stopped, false),
        ])
    func runningAgainIsSuggestedOnlyIfThatJustWritesTheReport(
        command: Command, isAskedFor: Bool
    ) async throws {
        try place.folder.write("", to: "reports")
        try await prepare(command)
        try await withCall { call, connection in
            let ends = try await give(command, to: call, at: connection)
            #expect(ends.compactMap(Self.isFixedByRerun) == [isAskedFor])
            let run = try #require(try await place.runs().first)
            let sent = try await accepted()
            try FileManager.default.removeItem(atPath: place.folder.file("reports"))
            _ = try await give(command, to: call, at: connection)
            let report = ReportFormat.csv.fileName(run: run.id, campaign: "spring")
            let isWritten = FileManager.default.fileExists(
                atPath: place.folder.file("reports/" + report))
            let isAllSent = try await accepted() == sent
            #expect((isWritten && isAllSent) == isAskedFor)
        }
    }

    /// Prepares the run that a command continues.
    private func prepare(_ command: Command) async throws {
        switch command {
        case .run, .again, .againByPlan, .due: break
        case .resume: try await place.leave("spring", "aaaaaa", as: .once, .paused, .passing)
        case .stopped:
            let id = try await place.leave("spring", "aaaaaa", as: .once, .running)
            let store = try place.store()
            try await store.requestStop(id, .resumable)
            try store.close()
        }
    }

    private func give(
        _ command: Command, to call: RunCall, at connection: HubConnection
    ) async throws -> [CampaignEnd] {
        switch command {
        case .run, .stopped:
            return try await call.run([campaign], at: connection)
        case .again:
            return try await call.run([campaign], as: .again, at: connection)
        case .againByPlan:
            let plan = try await plan(call.settings, at: connection.identity)
            return try await call.run([campaign], as: .again, keepingTo: plan, at: connection)
        case .due:
            let source = try await CampaignSource(path: campaign, settings: call.settings)
            let store = try place.store()
            let run = try await RunPlanner(call: call, hub: connection.identity, store: store)
                .plan(due: .occurrence(.once), of: try #require(source.campaign), in: source)
            let agreed = try await PlannedRuns(
                runs: [try #require(run)], call: call, connection: connection, store: store
            ).agreed()
            let sent = try await agreed.sent(agreed.runs[0])
            guard sent.summary.result != .alreadyFinished else { return [] }
            return try await sent.announce()
        case .resume:
            let run = try #require(try await place.runs().first)
            return try await call.resume(run.id, at: connection)
        }
    }

    /// A plan for sending the campaign again, which is saved in the first call.
    private func plan(
        _ settings: EffectiveSettings, at hub: HubIdentity
    ) async throws -> OpenedPlan {
        let (path, version) = (place.folder.file("a.plan"), "1.0.0")
        if !FileManager.default.fileExists(atPath: path) {
            let source = try await CampaignSource(path: campaign, settings: settings)
            let maker = PlanMaker(
                try #require(source.loaded.campaign), of: source.loaded, settings: settings,
                salt: PlanDigester.salt())
            let planned = try await CampaignCheck(
                source: source, runs: .unread, visit: maker.tally.add
            ).checked().audience
            _ = try PlanSaving(path: path, version: version).save(
                maker, try #require(planned), as: .again, at: hub)
        }
        return try OpenedPlan(path, version: version)
    }

    private func withCall(
        _ work: (RunCall, HubConnection) async throws -> Void
    ) async throws {
        try await place.withHub { hub in
            let settings = try EffectiveSettings.load(
                SettingFlags(), campaigns: [campaign],
                invocation: Invocation([
                    "HUBSEND_HUB_CONNECTION_STRING": hub, "HUBSEND_HUB_NAME": "main",
                ]))
            let connection = try HubConnection(hub)
            try await work(RunCall(settings, .quiet { _ in }), connection)
        }
    }

    private static func isFixedByRerun(_ end: CampaignEnd) -> Bool? {
        guard case .failed(let error as ReportNotWritten) = end else { return nil }
        return error.isFixedByRerun
    }

    /// The number of accepted pushes in all runs.
    private func accepted() async throws -> Int {
        let store = try place.store()
        var count = 0
        for run in try await place.runs() {
            count += try await store.outcomes(run.id)[.accepted]
        }
        return count
    }
}
