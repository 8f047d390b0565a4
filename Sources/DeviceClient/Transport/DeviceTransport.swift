/// Carries requests to the backend.
///
/// `URLSessionTransport`, in the module `DeviceURLSession`, is the usual one. Whatever carries them keeps these promises: it follows no redirect and answers
/// with its status instead; it keeps no cookie and no answer; it adds no credential of its own; it stops reading at the
/// limit and the timeout of the request.
public protocol DeviceTransport: Sendable {
    /// Sends a request and waits for all of the answer.
    ///
    /// - Parameter request: the request.
    /// - Returns: the answer, whatever its status.
    /// - Throws: ``BackendClientError/unreachable``, ``BackendClientError/timedOut``,
    ///   ``BackendClientError/answerTooLong(limit:)``, or `CancellationError`.
    func send(_ request: DeviceRequest) async throws -> DeviceResponse
}
