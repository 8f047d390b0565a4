package import HTTPTypes
package import NIOCore

/// Makes the requests of a test, with a socket or without one.
package protocol TestClient: Sendable {
    /// The server's port; nil without a socket.
    var port: Int? { get }

    /// Makes a request and waits for the whole answer.
    ///
    /// - Parameters:
    ///   - uri: path and query as they are to arrive.
    ///   - method: the method.
    ///   - headers: the headers; host and length are added.
    ///   - body: the body; nil: none.
    /// - Returns: the answer.
    /// - Throws: when there is none.
    func execute(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields, body: ByteBuffer?
    ) async throws -> TestResponse
}
