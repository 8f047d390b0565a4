#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Properties from which each registration's own template makes its message.
///
/// ```swift
/// let news = try TemplateNotification(properties: ["title": "Goal!", "matchId": "42"])
/// try await client.send(news, to: TagExpression(Tag("team:blue")))
/// ```
///
/// Neither its descriptions nor a dump of it show the properties.
public struct TemplateNotification: HubNotification {
    /// `template`.
    public let formatName = "template"

    /// `application/json`.
    public let contentType = "application/json"

    /// Options for the devices of one push service, such as `apns-push-type`.
    public let headers: [String: String]

    /// The properties as a flat JSON object, its names in order.
    public let body: [UInt8]

    /// Checks and keeps properties.
    ///
    /// - Parameters:
    ///   - properties: names, which templates compare without case, and values. Together up to
    ///     65,536 bytes as JSON.
    ///   - headers: push services' options, such as `apns-push-type: background`; each is for the
    ///     devices of its service.
    /// - Throws: ``NotificationError`` without properties, for too much of them, or for a header
    ///   that is not a push service's option.
    public init(
        properties: [String: String], headers: [String: String] = [:]
    ) throws(NotificationError) {
        guard !properties.isEmpty else { throw .emptyBody }
        let bytes = [UInt8](try CompactJSON.encode(properties))
        guard bytes.count <= NativeNotification.bodyLimit else { throw .bodyTooLarge }
        try HeaderField.checkOptions(headers)
        body = bytes
        self.headers = headers
    }
}

extension TemplateNotification: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The size, with the properties hidden.
    public var description: String {
        "TemplateNotification(\(body.count) bytes, properties hidden)"
    }

    /// What arrays and debuggers print; it hides what ``description`` hides.
    public var debugDescription: String { description }

    /// Everything but the properties.
    public var customMirror: Mirror {
        Mirror(self, children: ["headers": headers, "bytes": body.count])
    }
}
