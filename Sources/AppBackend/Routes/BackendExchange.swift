import CampaignCore
import FoundationEssentials
import HTTPServing
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore

/// A request from a signed-in user.
struct BackendExchange {
    let caller: Caller
    let method: HTTPRequest.Method
    let fields: HTTPFields
    let query: QueryParameters
    let body: ByteBuffer
    let environment: BackendEnvironment

    func reply(to route: Route) async throws -> BackendReply {
        switch route {
        case .health, .readiness: throw BackendFailure.unknownPath
        case .issueRegistration: try await issueRegistration()
        case .register(let id): try await register(id)
        case .unregister(let id): try await unregister(id)
        case .list: try await list()
        case .send: try await send()
        case .fetch(let id): try await fetch(id)
        case .markRead(let id): try await markRead(id)
        }
    }
}

struct BackendEnvironment: Sendable {
    typealias Store = NotificationStore & RegistrationStore & RunLedger

    let access: AccessControl
    let store: any Store
    let registrar: any DeviceRegistrar
    let sender: any PushSender
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

struct BackendReply {
    var response: Response
    /// The subject for the audit, if it is not the id in the route.
    var what: String?
    var outcome = "ok"
    /// The receipt to record once the whole response is sent; nil if there is none.
    var receipt: ReceiptKey?

    init(_ response: Response, about what: String? = nil, outcome: String = "ok") {
        self.response = response
        self.what = what
        self.outcome = outcome
    }
}
