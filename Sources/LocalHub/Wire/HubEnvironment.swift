import struct Foundation.Date

/// What the operations of every hub share.
struct HubEnvironment: Sendable {
    /// The hubs.
    let namespace: HubNamespace
    /// How much the hub takes, keeps and waits for.
    let limits: LocalHubLimits
    /// What goes wrong with a send.
    let fault: @Sendable (SendRequestSummary) -> LocalHubFault?
    /// Numbers the sends.
    let sends = SendCounter()
    /// The clock.
    let now: @Sendable () -> Date
    /// A source of 64 random bits.
    let random: @Sendable () -> UInt64
}
