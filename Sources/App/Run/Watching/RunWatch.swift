import CampaignCore
import Delivery
import Foundation
import Logging
import Synchronization

/// Informs watchers about runs: a heartbeat's service, and collectors of metrics.
///
/// Rehearsals are left out: they count in no statistics, and are not occurrences of a campaign.
final class RunWatch: Sendable {
    private let heartbeat: Heartbeat?
    private let metrics: MetricsFile?
    private let now: @Sendable () -> Date
    private let isMuted = Mutex(false)

    convenience init(
        _ settings: EffectiveSettings, as program: HubCaller, logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            heartbeat: settings.heartbeat.map {
                Heartbeat($0, userAgent: program.userAgent, logger: logger)
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

    /// Informs nobody from now on.
    func mute() {
        isMuted.withLock { $0 = true }
    }

    /// Names campaigns before the work, so that the exit code counts for them in any case.
    func expect(_ campaigns: [String]) {
        for campaign in campaigns { metrics?.note(nil, of: campaign) }
    }

    /// Does the work, reporting its beginning and its progress.
    func during<Value>(_ work: () async -> Value) async -> Value {
        guard !isMuted.withLock(\.self) else { return await work() }
        async let start: Void? = heartbeat?.start()
        // The writing ends with this function, which cancels it.
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

    func end(code: Int32) async {
        guard !isMuted.withLock(\.self) else { return }
        await metrics?.end(code: code)
        await heartbeat?.end(code: code)
    }
}
