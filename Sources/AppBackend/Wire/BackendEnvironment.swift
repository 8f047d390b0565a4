import CampaignCore
import FoundationEssentials
import Logging

/// What all requests share.
struct BackendEnvironment: Sendable {
    /// The store's side of the backend.
    typealias Store = NotificationStore & RegistrationStore & RunLedger

    let entrance: Entrance
    let store: any Store
    let registrar: any DeviceRegistrar
    let sender: any PushSender
    /// Which hub the sender sends to.
    let hub: HubIdentity
    let allowedTags: [TagPattern]
    let senders: Set<Username>
    let limits: BackendLimits
    let receipts: ReceiptWriter
    let audit: AuditLog
    let readiness: Readiness
    let now: @Sendable () -> Date
    let random: any RandomNumberGenerator & Sendable
    let logger: Logger
}
