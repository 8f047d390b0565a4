/// An operation that the hub refused, or whose answer was lost.
///
/// Its text never has the key, the token or the message in it. What the hub wrote is cut and
/// cleaned.
///
/// ```swift
/// do {
///     _ = try await client.send(notification, to: tags)
/// } catch {
///     switch error.disposition {
///     case .retry(let delay): try await Task.sleep(for: delay ?? .seconds(5))
///     case .rejected, .stop: print(error)
///     case .unknown, .accepted: break  // sending again could deliver it twice
///     }
/// }
/// ```
public struct HubError: Error, Sendable, Hashable {
    /// What was done, such as `send` or `reading of a registration`.
    public let operation: String

    /// What this means for the message, or for whatever else was to be done.
    public let disposition: Disposition

    /// The status of the hub's answer; nil when there was none.
    public let status: Int?

    /// The `Code` of the hub's error body, where it had one.
    public let code: String?

    /// The `Detail` of the hub's error body, where it had one: up to 200 characters without
    /// controls.
    public let detail: String?

    /// The id to give when asking Microsoft about this request: the hub's, else the one that was
    /// sent; a word instead of one when nothing was.
    public let trackingID: String

    /// How long the hub asks to wait, 0 to 3,600 seconds; nil where it did not say.
    public let retryAfter: Duration?

    /// What happened, in a few words, such as `connection refused` or `HTTP 429`.
    public let reason: String

    /// Whether the hub says that what was named in it is not there; never the hub itself.
    public var isNotFound: Bool { status == 404 && disposition == .rejected }
}

extension HubError: CustomStringConvertible {
    /// What happened, what the hub wrote, and what to do.
    public var description: String {
        let said = detail.map { " (\($0))" } ?? ""
        return "The \(operation) failed: \(reason)\(said). \(remedy) Tracking id: \(trackingID)."
    }

    private var refusal: String {
        switch status {
        case 404: "There is no such thing in the hub; check the id."
        case 409: "It exists already, or is being changed too often."
        case 410: "It can no longer be used; ask for a new registration id."
        case 412: "It has been changed meanwhile; read it again and repeat the change."
        case 413: "Make the request smaller; a hub takes up to 64 KB."
        default: "Correct the request; the same again gets the same answer."
        }
    }

    private var remedy: String {
        switch disposition {
        case .accepted: "Nothing needs to be done."
        case .rejected: refusal
        case .retry: "Try it again later."
        case .unknown: "It may have taken effect all the same."
        case .stop(.credentials):
            "Check the connection string's rule, key and rights, and this machine's clock."
        case .stop(.hubNotFound): "Check the hub's name."
        case .stop(.notAHub): "Check the endpoint in the connection string."
        }
    }
}
