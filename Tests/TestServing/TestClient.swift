package import HTTPTypes
package import NIOCore

/// Makes the requests of a test, with a socket or without one.
package protocol TestClient: Sendable {
    /// nil without a socket.
    var port: Int? { get }

    func execute(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields, body: ByteBuffer?
    ) async throws -> TestResponse
}
