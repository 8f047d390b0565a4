import CampaignCore

/// The name of a notification hub: exactly one segment of a URL path.
public struct HubName: Sendable, Hashable {
    /// The name as written.
    public let rawValue: String

    /// Checks a name: 1 to 260 ASCII letters, digits and `- _ .`; not `.` or `..`.
    public init(_ text: String) throws(InvalidHubName) {
        let fits = (1...260).contains(text.utf8.count) && text != "." && text != ".."
        guard fits, text.utf8.allSatisfy({ $0.isAlphanumeric(or: "-_.") }) else {
            throw InvalidHubName()
        }
        rawValue = text
    }
}

extension HubName: CustomStringConvertible {
    /// The name as written.
    public var description: String { rawValue }
}

/// The text is not a hub name; the error does not contain the text, because it may be a connection
/// string.
public struct InvalidHubName: Error, Hashable, CustomStringConvertible {
    /// A sentence that says what a valid hub name is.
    public var description: String {
        "The hub name must consist of 1 to 260 ASCII letters, digits, hyphens, underscores and "
            + "full stops. Use the name of the hub, not the name of the namespace or the connection "
            + "string."
    }
}
