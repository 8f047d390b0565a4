package import HTTPTypes
package import NIOCore

/// Sends the requests of a test, with or without a socket.
package protocol TestClient: Sendable {
    /// nil without a socket.
    var port: Int? { get }

    func execute(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields, body: ByteBuffer?
    ) async throws -> TestResponse
}
