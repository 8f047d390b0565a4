public import Foundation

/// Sends requests to the backend.
///
/// `URLSessionTransport`, in the module `DeviceURLSession`, is the usual one. A transport must not
/// follow redirects but return their status, must not store cookies or answers or add credentials,
/// and must stop reading at the request's limit and on cancellation. The client cancels a request
/// whose time is over.
public protocol DeviceTransport: Sendable {
    /// Sends a request and waits for the whole answer, whatever its status.
    ///
    /// - Throws: ``BackendClientError/unreachable``, ``BackendClientError/timedOut``,
    ///   ``BackendClientError/answerTooLong(limit:)``, or ``BackendClientError/cancelled``. Any
    ///   other error reaches the app as ``BackendClientError/transportFailed(_:)``.
    func send(_ request: DeviceRequest) async throws -> DeviceResponse
}

/// One request to the backend.
public struct DeviceRequest: Sendable {
    /// `GET`, `POST`, `PUT` or `DELETE`.
    public let method: String
    /// The URL, at the configured origin.
    public let url: URL
    /// The headers, including `Authorization`.
    public let headers: [String: String]
    /// The body, if there is one.
    public let body: Data?
    /// The maximum number of bytes to read of the answer's body.
    public let answerLimit: Int
    /// The time for the request and its answer.
    public let timeout: Duration
}

extension DeviceRequest: CustomStringConvertible, CustomReflectable {
    /// The method and the body's size; nothing that identifies the user.
    public var description: String { "\(method) with \(body?.count ?? 0) bytes" }

    /// The same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// The backend's answer to one request.
public struct DeviceResponse: Sendable {
    /// The status of the answer, such as 200.
    public let status: Int
    /// The headers, names in lower case.
    public let headers: [String: String]
    /// The body; it may be empty unless the status means success.
    public let body: Data

    /// Creates an answer; header names may be in any case.
    public init(status: Int, headers: [String: String], body: Data) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first }
        )
        self.body = body
    }
}
