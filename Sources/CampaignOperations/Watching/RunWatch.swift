import CampaignCore
import Delivery
package import Foundation
package import Logging
package import Settings
import Synchronization

/// Tells those who watch over runs from afar what becomes of them: a heartbeat's service, and whoever collects metrics.
///
/// Nobody is told of rehearsals: they count in no statistics, and are not occurrences of a campaign.
package final class RunWatch: Sendable {
    private let heartbeat: Heartbeat?
    private let metrics: MetricsFile?
    private let now: @Sendable () -> Date
    private let isMuted = Mutex(false)

    /// - Parameters:
    ///   - settings: whom to tell.
    ///   - program: how a service sees the program.
    ///   - logger: where it is said that they could not be told.
    ///   - now: the clock.
    package convenience init(
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

    /// Tells nobody anything from now on.
    func mute() {
        isMuted.withLock { $0 = true }
    }

    /// Names campaigns that a command is about to work on, so that its exit code is theirs even if it comes to nothing.
    func expect(_ campaigns: [String]) {
        for campaign in campaigns { metrics?.note(nil, of: campaign) }
    }

    /// Does the work on runs, and tells that it has begun and how far it is.
    func during<Value>(_ work: () async -> Value) async -> Value {
        guard !isMuted.withLock(\.self) else { return await work() }
        async let start: Void? = heartbeat?.start()
        // The writing ends with this function, which cancels it.
        async let _ = metrics?.keepWriting()
        let value = await work()
        _ = await start
        return value
    }

    /// Takes in how far a run is.
    func observe(_ progress: RunProgress, of campaign: String) {
        metrics?.note(RunFigures(progress), of: campaign)
    }

    /// Takes in how the work on a run ended.
    func note(_ summary: RunSummary) {
        metrics?.note(RunFigures(summary, ended: now()), of: summary.record.campaign)
    }

    /// Tells how the command ended.
    ///
    /// - Parameter code: its exit code.
    package func end(code: Int32) async {
        guard !isMuted.withLock(\.self) else { return }
        await metrics?.end(code: code)
        await heartbeat?.end(code: code)
    }
}
