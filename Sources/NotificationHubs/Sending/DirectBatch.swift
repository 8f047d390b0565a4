#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A message for a list of devices of one push service, sent in one request.
public struct DirectBatch: Sendable {
    /// The message.
    public let notification: NativeNotification

    /// The number of devices.
    public let count: Int

    /// The maximum number of devices in one request.
    public static let handleLimit = 1_000

    let boundary: String
    let body: [UInt8]

    /// Combines a message and 1 to 1,000 devices, which cannot be browsers: send to browsers one by
    /// one, because their handles include keys.
    public init(
        _ notification: NativeNotification, to handles: [DeviceHandle]
    ) throws(NotificationError) {
        guard !handles.isEmpty else { throw .noHandles }
        guard handles.count <= Self.handleLimit else { throw .tooManyHandles }
        guard handles.allSatisfy({ $0.p256dh == nil && $0.auth == nil }) else {
            throw .browserInBatch
        }
        let devices = [UInt8](try CompactJSON.encode(handles.map(\.text)))
        let boundary = Self.boundary(outside: notification.body, devices)
        self.notification = notification
        self.boundary = boundary
        // In recordings of the service, the limit of 64 KB does not apply here; a thousand Apple
        // device tokens exceed it.
        body = Self.multipart(notification, devices: devices, boundary: boundary)
        count = handles.count
    }

    private static func multipart(
        _ notification: NativeNotification, devices: [UInt8], boundary: String
    ) -> [UInt8] {
        var body: [UInt8] = []
        for (name, type, content) in [
            ("notification", notification.contentType, notification.body),
            ("devices", "application/json; charset=utf-8", devices),
        ] {
            body += Array(
                ("--\(boundary)\r\nContent-Type: \(type)\r\n"
                    + "Content-Disposition: inline; name=\(name)\r\n\r\n").utf8)
            body += content
            body += Array("\r\n".utf8)
        }
        return body + Array("--\(boundary)--\r\n".utf8)
    }

    private static func boundary(outside parts: [UInt8]...) -> String {
        var number = 0
        while true {
            let boundary = "nh-batch-\(number)"
            let line = Data("--\(boundary)".utf8)
            guard parts.contains(where: { Data($0).firstRange(of: line) != nil }) else {
                return boundary
            }
            number += 1
        }
    }
}

extension DirectBatch: SecretHolder {
    /// The push service and the number of devices.
    public var description: String {
        "DirectBatch(\(notification.format.rawValue), \(count) devices, hidden)"
    }

    /// A mirror with the message, whose body is hidden, and the number of devices.
    public var customMirror: Mirror {
        Mirror(self, children: ["notification": notification, "count": count])
    }
}
