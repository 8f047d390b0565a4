/// Why a message cannot be sent as it is; found before anything leaves.
public enum NotificationError: Error, Hashable {
    /// The body has no byte.
    case emptyBody
    /// The body has more than 65,536 bytes.
    case bodyTooLarge
    /// A header's name is not that of a push service's option.
    case headerNotAllowed
    /// A header's value is empty, longer than 1,024 bytes or not printable ASCII.
    case invalidHeaderValue(String)
}

extension NotificationError: CustomStringConvertible {
    /// A sentence with what to do about it.
    public var description: String {
        switch self {
        case .emptyBody:
            "The notification's body is empty. Give it the push service's payload."
        case .bodyTooLarge:
            "The notification's body has more than \(NativeNotification.bodyLimit) bytes, "
                + "which no hub takes. "
                + "Push an id and let the app fetch the rest."
        case .headerNotAllowed:
            "A header of the notification is no push service's option. "
                + "Only names that start with apns- or X- are passed on."
        case .invalidHeaderValue(let name):
            "The notification's header \(name) has a value that is empty, too long or not "
                + "printable ASCII. Correct it."
        }
    }
}
