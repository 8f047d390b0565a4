/// A message that a hub can send: either a ``NativeNotification`` or a ``TemplateNotification``.
public protocol HubNotification: Sendable {
    /// The value of `ServiceBusNotification-Format`, such as `apple` or `template`.
    var formatName: String { get }

    /// The media type of the body.
    var contentType: String { get }

    /// The headers with options for push services; their names start with `apns-` or `X-`.
    var headers: [String: String] { get }

    /// The bytes of the body.
    var body: [UInt8] { get }
}

extension HubNotification {
    var options: [(name: String, value: String)] {
        headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }
}

extension NativeNotification: HubNotification {
    /// The value of `ServiceBusNotification-Format`.
    public var formatName: String { format.rawValue }
}

/// The reason why a message cannot be sent; descriptions do not contain the message or a device's
/// handle.
public enum NotificationError: Error, Hashable {
    /// The body is empty.
    case emptyBody
    /// The body has more than 65,536 bytes.
    case bodyTooLarge
    /// A header is not an option of a push service.
    case headerNotAllowed
    /// A header's value is empty, longer than 1,024 bytes or not printable ASCII.
    case invalidHeaderValue(String)
    /// A device's handle is empty, too long or not printable ASCII.
    case invalidHandle
    /// A batch has no devices.
    case noHandles
    /// A batch has more than 1,000 devices.
    case tooManyHandles
    /// A batch contains a browser's subscription.
    case browserInBatch
    /// A bulk send already has 4,096 messages.
    case tooManyMessages
    /// The message cannot be encoded as JSON.
    case notJSON
}

extension NotificationError: CustomStringConvertible {
    /// A sentence that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .emptyBody:
            "The notification's body is empty. Use a payload for the push service."
        case .bodyTooLarge:
            "The notification's body has more than \(NativeNotification.bodyLimit) bytes, "
                + "which is the limit of a hub. Send only an id, and let the app fetch the rest."
        case .headerNotAllowed:
            "A header of the notification is not a push service option. "
                + "Only names that start with apns- or X- are passed on."
        case .invalidHeaderValue(let name):
            "The notification's header \(name) has a value that is empty, too long or not "
                + "printable ASCII. Correct it."
        case .invalidHandle:
            "A device's handle or key is empty, too long or not printable ASCII. Use it exactly "
                + "as the push service assigned it."
        case .noHandles: "A batch has no devices. Add at least one device."
        case .tooManyHandles:
            "A batch has more than \(DirectBatch.handleLimit) devices. Split it into several "
                + "batches."
        case .tooManyMessages:
            "A bulk send already has \(BulkSend.messageLimit) messages. Send them, then start "
                + "another bulk send."
        case .browserInBatch:
            "A batch contains a browser, which needs its own keys. Send to the browser separately."
        case .notJSON: "The message cannot be encoded as JSON. Use valid Unicode text."
        }
    }
}
