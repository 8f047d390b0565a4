import HTTPServing

import struct Foundation.Date

/// The values that all operations share; see ``LocalHubConfiguration`` for the settings.
struct HubEnvironment: Sendable {
    let namespace: HubNamespace
    let limits: LocalHubLimits
    let fault: @Sendable (SendRequestSummary) -> LocalHubFault?
    let faults: FaultEngine
    let readFaults: (@Sendable (String) throws(UnreadableFaults) -> [FaultRule])?
    let payloads: PayloadBackend?
    let hasPublishedKeys: Bool
    let alarm = ScheduleAlarm()
    let jobs = JobQueue()
    let access: InspectionAccess
    let streams: ConcurrencyLimit
    let telemetryDelay: Duration
    let installationDelay: Duration
    let sleep: @Sendable (Duration) async throws -> Void
    let sleepUntil: @Sendable (Date) async throws -> Void
    let sends = SendCounter()
    let now: @Sendable () -> Date
    let random: @Sendable () -> UInt64

    var blobs: BlobClient { BlobClient(limit: limits.blobBytes, timeout: limits.blobTimeout) }

    /// Applies all due writes to installations, in all hubs.
    func settleInstallations() {
        guard installationDelay > .zero else { return }
        let now = now()
        for hub in namespace.all {
            hub.update { $0.settleInstallations(at: now, random: random) }
        }
    }

    /// The fault that makes every push to a device fail; nil if there is none.
    @Sendable func refusal(of device: DeviceAddress) -> PushRefusal? {
        faults.refusal(of: device, at: now())
    }
}
