/// Something that goes wrong with a send.
package enum LocalHubFault: Sendable, Hashable {
    /// Another answer instead of 201; the send takes no effect.
    ///
    /// The status is 200 to 599. The headers come on top of the usual ones.
    case answer(status: Int, headers: [String: String])
    /// No answer, until the client goes away or the hub shuts down.
    case hang(takesEffect: Bool)
    /// The connection is closed without an answer.
    case drop(takesEffect: Bool)

    /// Another answer instead of 201.
    ///
    /// - Parameters:
    ///   - status: the status, 200 to 599.
    ///   - retryAfter: the whole seconds of `Retry-After`, which is left out when nil.
    /// - Returns: the fault.
    package static func answer(status: Int, retryAfter: Int? = nil) -> LocalHubFault {
        .answer(status: status, headers: retryAfter.map { ["Retry-After": String($0)] } ?? [:])
    }
}
