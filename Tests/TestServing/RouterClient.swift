package import HTTPTypes
package import Hummingbird
import HummingbirdCore
package import Logging
package import NIOCore
import NIOEmbedded

/// Asks an application's responder directly, without a server or a socket.
///
/// HummingbirdTesting would trap SIGINT and SIGTERM in the whole process and its children. An
/// endless response, such as an event stream, needs a ``SocketClient``.
package struct RouterClient<Responder: HTTPResponder>: TestClient
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    private let responder: Responder
    private let logger: Logger

    package init(_ responder: Responder, logger: Logger) {
        self.responder = responder
        self.logger = logger
    }

    package var port: Int? { nil }

    package func execute(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields, body: ByteBuffer?
    ) async throws -> TestResponse {
        var headers = headers
        if let body { headers[.contentLength] = String(body.readableBytes) }
        let request = Request(
            head: HTTPRequest(
                method: method, scheme: "http", authority: "localhost", path: uri,
                headerFields: headers),
            body: RequestBody(buffer: body ?? ByteBuffer()))
        let context = Responder.Context(
            source: ApplicationRequestContextSource(
                channel: NIOAsyncTestingChannel(), logger: logger))
        let response: Response
        do {
            response = try await responder.respond(to: request, context: context)
        } catch {
            response = Response(status: .internalServerError)
        }
        let collected = CollectedBody()
        try await response.body.write(collected)
        return TestResponse(
            status: response.status, headers: response.headers, body: collected.bytes)
    }
}
