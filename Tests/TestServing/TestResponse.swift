package import HTTPTypes
package import NIOCore

/// A whole answer to a test's request.
package struct TestResponse: Sendable {
    /// The answer's status.
    package let status: HTTPResponse.Status
    /// Its headers.
    package let headers: HTTPFields
    /// Its body; empty when it has none.
    package let body: ByteBuffer

    /// A header's value by its name as text.
    package func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { headers[$0] }
    }

    /// The body as text.
    package var text: String { String(buffer: body) }
}
