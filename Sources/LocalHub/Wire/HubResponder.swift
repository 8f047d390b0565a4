import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Carries requests from Hummingbird to the hub, and does to the connection what the answer says.
struct HubResponder: HTTPResponder {
    /// Says that a connection was ended on purpose, so that nothing more goes out on it.
    struct ConnectionEnded: Error {}

    /// The hub.
    let hub: Hub
    /// Takes a line a request at debug level; never a token, a header or a body.
    let logger: Logger

    func respond(to request: Request, context: HubRequestContext) async throws -> Response {
        // A server has read all of it, within the same bounds.
        let body = try await request.body.collect(upTo: .max)
        if let failure = hub.fault(inBodyOf: request.head, bytes: body.readableBytes) {
            return hub.refusal(failure, to: request.head)
        }
        let answer = hub.answer(
            request.head, body: Array(body.readableBytesView), isPeerLocal: context.isPeerLocal)
        logger.debug(
            "\(request.method) \(request.uri.path)", metadata: ["answer": "\(answer.summary)"])
        return try await carryOut(answer, request, context)
    }

    private func carryOut(
        _ answer: HubAnswer, _ request: Request, _ context: HubRequestContext
    ) async throws -> Response {
        switch answer {
        case .response(let response):
            return request.method == .head ? response.createHeadResponse() : response
        case .events(let events):
            return events.response(to: request.body)
        case .waiting(let message):
            var response = try await message.response(to: request.body)
            // HTTP/2 forbids the header (RFC 9113, section 8.2.2), and has a stream for each request.
            if context.isStream { response.headers[.connection] = nil }
            return response
        case .fetching(let payload):
            return await payload.response()
        case .hang:
            try await HungConnection.wait(request.body)
            try await context.end()
            throw ConnectionEnded()
        case .drop:
            try await context.endConnection()
            throw ConnectionEnded()
        case .late(let answer, let delay, let bytesPerSecond):
            try await wait(delay)
            if let bytesPerSecond { try await slowDown(context.connection, to: bytesPerSecond) }
            return try await carryOut(answer, request, context)
        }
    }

    /// Waits for a time, or until the hub shuts down: what is late goes out at once then.
    private func wait(_ delay: Duration) async throws {
        do {
            try await cancelWhenGracefulShutdown { [sleep = hub.environment.sleep] in
                try await sleep(delay)
            }
        } catch is CancellationError {
            return
        }
    }

    private func slowDown(_ channel: any Channel, to bytesPerSecond: Int) async throws {
        try await channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            do {
                _ = try pipeline.context(handlerType: SlowWriter.self)
            } catch ChannelPipelineError.notFound {
                // At the head, next to the socket, where everything is bytes.
                try pipeline.addHandler(
                    SlowWriter(bytesPerSecond: bytesPerSecond), position: .first)
            }
        }.get()
    }
}
