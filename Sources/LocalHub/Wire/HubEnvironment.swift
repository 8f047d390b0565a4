import HTTPServing

import struct Foundation.Date

/// What the operations of every hub share.
struct HubEnvironment: Sendable {
    /// The hubs.
    let namespace: HubNamespace
    /// How much the hub accepts and keeps, and how long it waits.
    let limits: LocalHubLimits
    /// What goes wrong with a send.
    let fault: @Sendable (SendRequestSummary) -> LocalHubFault?
    /// The faults that rules ask for.
    let faults: FaultEngine
    /// Reads the rules that somebody puts while the hub runs; nil: nobody can.
    let readFaults: (@Sendable (String) throws(UnreadableFaults) -> [FaultRule])?
    /// The app backend whose payloads may be shown; nil: none is known.
    let payloads: PayloadBackend?
    /// Whether a rule's key is one of the development rules' keys, which are published.
    let hasPublishedKeys: Bool
    /// Wakes the service of the scheduled sends.
    let alarm = ScheduleAlarm()
    /// The jobs that wait.
    let jobs = JobQueue()
    /// Who may look into the hubs, and who may change something there.
    let access: InspectionAccess
    /// Bounds the event streams.
    let streams: ConcurrencyLimit
    /// How long after a send telemetry shows its final state.
    let telemetryDelay: Duration
    /// How long after its answer a write of an installation takes effect.
    let installationDelay: Duration
    /// Waits; throws when its task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void
    /// Waits until the clock shows a time; throws when its task is cancelled.
    let sleepUntil: @Sendable (Date) async throws -> Void
    /// Numbers the sends.
    let sends = SendCounter()
    /// The clock.
    let now: @Sendable () -> Date
    /// A source of 64 random bits.
    let random: @Sendable () -> UInt64

    /// Reads and writes what jobs work with.
    var blobs: BlobClient { BlobClient(limit: limits.blobBytes, timeout: limits.blobTimeout) }

    /// Does the writes of installations whose time has come, in all hubs.
    func settleInstallations() {
        guard installationDelay > .zero else { return }
        let now = now()
        for hub in namespace.all {
            hub.update { $0.settleInstallations(at: now, random: random) }
        }
    }

    /// What goes wrong with a push to one device, whatever the push says; nil: nothing.
    @Sendable func refusal(of device: DeviceAddress) -> PushRefusal? {
        faults.refusal(of: device, at: now())
    }
}
