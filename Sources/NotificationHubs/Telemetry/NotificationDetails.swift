public import FoundationEssentials

/// What a hub tells of a message (reference: section 5).
///
/// ```swift
/// if let details = try await client.notificationDetails(id: id), details.state == .completed {
///     print(details.count(of: "WrongToken", on: .apple), "devices have gone")
/// }
/// ```
///
/// No description of it shows the message's body or the address of the error details.
public struct NotificationDetails: Sendable, Hashable {
    /// The message's id.
    public let id: String

    /// How far it has come.
    public let state: NotificationState

    /// When the hub took it.
    public let enqueueTime: Date?

    /// When the hub began with it.
    public let startTime: Date?

    /// When the hub was done with it.
    public let endTime: Date?

    /// The message.
    public let body: String?

    /// Who it was for, as the hub writes the expression; nil or empty for everybody.
    public let tags: String?

    /// The push services it went to, such as `apple`.
    public let targetPlatforms: [String]

    /// How many devices had which outcome, such as `Success`, by push service.
    ///
    /// The services have the names of ``NotificationFormat``; one that is not known here has the
    /// hub's own name for it in lower case.
    public let outcomeCounts: [String: [String: Int]]

    /// Where the push services' errors can be read, on some other server; it is never contacted by
    /// this library, and holds a signature.
    public let pnsErrorDetailsURL: String?

    /// How many devices of a push service had an outcome.
    ///
    /// - Parameters:
    ///   - outcome: the hub's word, such as `Success` or `WrongToken`.
    ///   - format: the push service.
    /// - Returns: 0 where the hub does not say.
    public func count(of outcome: String, on format: NotificationFormat) -> Int {
        outcomeCounts[format.rawValue]?[outcome] ?? 0
    }
}

extension NotificationDetails: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The id and the state.
    public var description: String { "NotificationDetails(\(id), \(state))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Everything but the body and the address.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id, "state": state, "enqueueTime": enqueueTime as Any,
                "startTime": startTime as Any, "endTime": endTime as Any,
                "targetPlatforms": targetPlatforms, "outcomeCounts": outcomeCounts,
            ])
    }
}
