/// A message that a hub can send: ``NativeNotification`` or ``TemplateNotification``.
///
/// It is for these two only; what they carry was checked when they were made.
public protocol HubNotification: Sendable {
    /// The value of `ServiceBusNotification-Format`, such as `apple` or `template`.
    var formatName: String { get }

    /// The media type of the body.
    var contentType: String { get }

    /// The push services' options: names that start with `apns-` or `X-`, and their values.
    var headers: [String: String] { get }

    /// The body's bytes.
    var body: [UInt8] { get }
}

extension HubNotification {
    /// The options in a fixed order.
    var options: [(name: String, value: String)] {
        headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }
}

extension NativeNotification: HubNotification {
    /// The value of `ServiceBusNotification-Format`.
    public var formatName: String { format.rawValue }
}
