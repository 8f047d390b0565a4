import CampaignCore
import Delivery
import Foundation
import Logging
import Synchronization

/// Reports runs to the heartbeat service and to the metrics file.
///
/// Rehearsals are not reported, because they do not count as sendings of a campaign.
final class RunWatch: Sendable {
    private let heartbeat: Heartbeat?
    private let metrics: MetricsFile?
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    private struct State {
        var isMuted = false
        var hasBegun = false
        var hasEnded = false
    }

    convenience init(
        _ settings: EffectiveSettings, logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            heartbeat: settings.heartbeat.map {
                Heartbeat($0, userAgent: Hubsend.userAgent, logger: logger)
            }, metrics: settings.metrics.map { MetricsFile(at: $0, logger: logger) }, now: now)
    }

    init(
        heartbeat: Heartbeat?, metrics: MetricsFile?,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.heartbeat = heartbeat
        self.metrics = metrics
        self.now = now
    }

    /// Stops all reports.
    func mute() {
        state.withLock { $0.isMuted = true }
    }

    /// Registers campaigns before the work, so that an exit code is always reported for them.
    func expect(_ campaigns: [String]) {
        for campaign in campaigns { metrics?.note(nil, of: campaign) }
    }

    /// Whether the work has begun.
    var hasBegun: Bool { state.withLock(\.hasBegun) }

    /// Does the work, and reports its start and its progress.
    func during<Value>(_ work: () async -> Value) async -> Value {
        let isMuted = state.withLock { state in
            state.hasBegun = true
            return state.isMuted
        }
        if isMuted { return await work() }
        async let start: Void? = heartbeat?.start()
        // When this function returns, the writing is cancelled.
        async let _ = metrics?.keepWriting()
        let value = await work()
        _ = await start
        return value
    }

    func observe(_ progress: RunProgress, of campaign: String) {
        metrics?.note(RunFigures(progress), of: campaign)
    }

    func note(_ summary: RunSummary) {
        metrics?.note(RunFigures(summary, ended: now()), of: summary.record.campaign)
    }

    /// Reports the end of the command, once.
    func end(code: Int32) async {
        let isSilent = state.withLock { state in
            defer { state.hasEnded = true }
            return state.isMuted || state.hasEnded
        }
        if isSilent { return }
        await metrics?.end(code: code)
        await heartbeat?.end(code: code)
    }
}
