import CampaignCore
import HTTPTypes
import HummingbirdCore
import NIOCore

/// One request of somebody who signed in.
struct BackendExchange {
    let caller: Caller
    let method: HTTPRequest.Method
    let fields: HTTPFields
    let query: QueryParameters
    let body: ByteBuffer
    let environment: BackendEnvironment

    /// Does what a route asks for.
    ///
    /// - Throws: ``BackendFailure``; `RegistrarFailure`; what the store throws.
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
