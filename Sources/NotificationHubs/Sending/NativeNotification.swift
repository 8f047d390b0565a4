/// A message in one push service's own format, with the options that the hub passes on to it.
///
/// ```swift
/// let silent = try NativeNotification(
///     format: .apple,
///     body: Array(#"{"aps":{"content-available":1},"id":"42"}"#.utf8),
///     headers: ["apns-push-type": "background", "apns-priority": "5"])
/// ```
///
/// Neither its descriptions nor a dump of it show the body.
public struct NativeNotification: Sendable {
    /// The push service.
    public let format: NotificationFormat

    /// The media type of the body.
    public let contentType: String

    /// The push service's options: names that start with `apns-` or `X-`, and their values.
    public let headers: [String: String]

    /// The body's bytes.
    public let body: [UInt8]

    /// The most bytes a hub takes in one request (reference: section 3.12).
    public static let bodyLimit = 65_536

    /// Checks and keeps a message.
    ///
    /// - Parameters:
    ///   - format: the push service.
    ///   - body: 1 to 65,536 bytes in the push service's format. Each service has a lower limit of
    ///     its own.
    ///   - contentType: the media type; nil for the format's own.
    ///   - headers: the push service's options. A silent push needs `apns-push-type: background`
    ///     and `apns-priority: 5` for Apple, `X-WNS-Type: wns/raw` and the content type
    ///     `application/octet-stream` for Windows.
    /// - Throws: ``NotificationError`` for an empty or too large body, or a header that is not a
    ///   push service's option.
    public init(
        format: NotificationFormat, body: [UInt8], contentType: String? = nil,
        headers: [String: String] = [:]
    ) throws(NotificationError) {
        guard !body.isEmpty else { throw .emptyBody }
        guard body.count <= Self.bodyLimit else { throw .bodyTooLarge }
        let contentType = contentType ?? format.defaultContentType
        guard HeaderField.isValue(contentType) else { throw .invalidHeaderValue("Content-Type") }
        try HeaderField.checkOptions(headers)
        self.format = format
        self.body = body
        self.contentType = contentType
        self.headers = headers
    }
}

extension NativeNotification: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Format and size, with the body hidden.
    public var description: String {
        "NativeNotification(\(format.rawValue), \(body.count) bytes, body hidden)"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Everything but the body's bytes.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "format": format, "contentType": contentType, "headers": headers,
                "bytes": body.count,
            ])
    }
}
