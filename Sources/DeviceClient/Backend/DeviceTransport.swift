public import Foundation

/// Sends requests to the backend.
///
/// Most apps use `URLSessionTransport`, from the module `DeviceURLSession`. A transport must return
/// the status of a redirect instead of following it. It must not store cookies or responses, must
/// not add credentials, and must stop reading when the request's limit is reached or the task is
/// cancelled. The client cancels a request that takes too long.
public protocol DeviceTransport: Sendable {
    /// Sends a request and waits for the whole response, whatever its status.
    ///
    /// - Throws: ``BackendClientError/unreachable``, ``BackendClientError/timedOut``,
    ///   ``BackendClientError/answerTooLong(limit:)``, or ``BackendClientError/cancelled``. Any
    ///   other error is reported as ``BackendClientError/transportFailed(_:)``.
    func send(_ request: DeviceRequest) async throws -> DeviceResponse
}

/// A request to the backend.
public struct DeviceRequest: Sendable {
    /// The method: `GET`, `POST`, `PUT` or `DELETE`.
    public let method: String
    /// The URL, at the configured origin.
    public let url: URL
    /// The headers, including `Authorization`.
    public let headers: [String: String]
    /// The body, if there is one.
    public let body: Data?
    /// The maximum number of bytes to read from the response body.
    public let answerLimit: Int
    /// The timeout for the request, including the response.
    public let timeout: Duration
}

extension DeviceRequest: CustomStringConvertible, CustomReflectable {
    /// The method and the size of the body, but nothing that identifies the user.
    public var description: String { "\(method) with \(body?.count ?? 0) bytes" }

    /// The same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// The backend's response to a request.
public struct DeviceResponse: Sendable {
    /// The status of the response, such as 200.
    public let status: Int
    /// The headers, with names in lower case.
    public let headers: [String: String]
    /// The body; a transport can leave it empty unless the status means success.
    public let body: Data

    /// Creates a response; header names are case-insensitive.
    public init(status: Int, headers: [String: String], body: Data) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first }
        )
        self.body = body
    }
}
