#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Properties that are inserted into the template of each registration; descriptions do not show
/// them.
public struct TemplateNotification: HubNotification {
    /// `template`.
    public let formatName = "template"

    /// `application/json`.
    public let contentType = "application/json"

    /// The headers with options for push services, such as `apns-push-type`.
    public let headers: [String: String]

    /// The properties as a flat JSON object with sorted names.
    public let body: [UInt8]

    /// Creates a notification and checks its properties.
    ///
    /// - Parameters:
    ///   - properties: values by name, up to 65,536 bytes as JSON; templates match the names
    ///     case-insensitively.
    ///   - headers: options; each applies to the devices of one push service.
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

extension TemplateNotification: SecretHolder {
    /// The size, with the properties hidden.
    public var description: String {
        "TemplateNotification(\(body.count) bytes, properties hidden)"
    }

    /// The headers and the size, with the properties hidden.
    public var customMirror: Mirror {
        Mirror(self, children: ["headers": headers, "bytes": body.count])
    }
}
