import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Carries requests from Hummingbird to the hub, and does to the connection what the answer says.
struct HubResponder: HTTPResponder {
    /// Says that a connection was ended on purpose, so that nothing more goes out on it.
    struct ConnectionEnded: Error {}

    /// The hub.
    let hub: Hub
    /// The largest body in bytes.
    let bodyLimit: Int

    func respond(to request: Request, context: HubRequestContext) async throws -> Response {
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: bodyLimit)
        } catch is NIOTooManyBytesError {
            return hub.refusal(.bodyTooLarge(limit: bodyLimit), to: request.headers)
        }
        switch hub.answer(request.head, body: Array(body.readableBytesView)) {
        case .response(let response):
            return response
        case .hang:
            try await HungConnection.wait(request.body)
            try await context.channel.close()
            throw ConnectionEnded()
        case .drop:
            try await context.channel.close()
            throw ConnectionEnded()
        }
    }
}
