public import Foundation

/// Carries requests to the backend.
///
/// `URLSessionTransport`, in the module `DeviceURLSession`, is the usual one. Whatever carries them keeps these promises: it follows no redirect and answers
/// with its status instead; it keeps no cookie and no answer; it adds no credential of its own; it stops reading at the
/// limit of the request, and when its task is cancelled, as it is when the time of the request is over.
public protocol DeviceTransport: Sendable {
    /// Sends a request and waits for all of the answer.
    ///
    /// - Parameter request: the request.
    /// - Returns: the answer, whatever its status.
    /// - Throws: ``BackendClientError/unreachable``, ``BackendClientError/timedOut``,
    ///   ``BackendClientError/answerTooLong(limit:)``, or ``BackendClientError/cancelled``; anything else comes to the app as
    ///   ``BackendClientError/transportFailed(_:)``.
    func send(_ request: DeviceRequest) async throws -> DeviceResponse
}

/// One request to the backend.
public struct DeviceRequest: Sendable {
    /// `GET`, `POST`, `PUT` or `DELETE`.
    public let method: String
    /// Where to; at the configured origin.
    public let url: URL
    /// The headers, `Authorization` among them.
    public let headers: [String: String]
    /// The body; nil: the request has no body.
    public let body: Data?
    /// The most bytes of the answer's body that are wanted.
    public let answerLimit: Int
    /// How long all of it may take.
    public let timeout: Duration
}

extension DeviceRequest: CustomStringConvertible, CustomReflectable {
    /// The method and the size of the body; nothing that shows who somebody is.
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
    /// The body; may be left out where the status is not one of success.
    public let body: Data

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: its status.
    ///   - headers: its headers, names in any case.
    ///   - body: its body.
    public init(status: Int, headers: [String: String], body: Data) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first }
        )
        self.body = body
    }
}
