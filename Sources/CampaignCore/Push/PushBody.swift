#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The body and headers of a push, for one kind on one platform (contract, section 4).
///
/// The one place that knows them: validation, preview and sending all ask here.
package struct PushBody: Hashable, Sendable {
    /// FCM keeps a message four weeks at most.
    private static let longestFCMLife: Int64 = 2_419_200

    package let kind: CampaignKind
    package let platform: Platform

    package init(kind: CampaignKind, platform: Platform) {
        self.kind = kind
        self.platform = platform
    }

    /// The most bytes a body may have on this platform (hub reference, section 9).
    package var limit: Int {
        switch platform {
        case .apns, .fcm: 4096
        case .wns: 5120
        }
    }

    /// The body's media type.
    package var contentType: String {
        switch (platform, kind.isSilent) {
        case (.wns, true): "application/octet-stream"
        case (.wns, false): "application/xml"
        case (.apns, _), (.fcm, _): "application/json;charset=utf-8"
        }
    }

    /// The push service's headers.
    ///
    /// - Parameters:
    ///   - expires: when the payload expires.
    ///   - now: the time of sending.
    /// - Returns: the headers, beside those of the hub's own protocol.
    package func headers(expires: Date, now: Date) -> [PushHeader] {
        switch (platform, kind.isSilent) {
        case (.apns, let isSilent):
            [
                PushHeader("apns-push-type", isSilent ? "background" : "alert"),
                PushHeader("apns-priority", isSilent ? "5" : "10"),
                PushHeader("apns-expiration", String(Int64(expires.timeIntervalSince1970))),
            ]
        case (.fcm, _):
            []
        case (.wns, true):
            [
                PushHeader("X-WNS-Type", "wns/raw"),
                PushHeader("X-WNS-Cache-Policy", "cache"),
                PushHeader("X-WNS-TTL", String(Self.seconds(from: now, to: expires))),
            ]
        case (.wns, false):
            [PushHeader("X-WNS-Type", "wns/toast")]
        }
    }

    /// Writes the body of one push.
    ///
    /// - Parameters:
    ///   - content: what it says.
    ///   - expires: when the payload expires.
    ///   - now: the time of sending.
    /// - Returns: the body in UTF-8.
    package func bytes(_ content: PushContent, expires: Date, now: Date) -> [UInt8] {
        var writer = PushBodyWriter()
        switch platform {
        case .apns: writer.apns(content, kind: kind)
        case .fcm:
            let life = min(Self.seconds(from: now, to: expires), Self.longestFCMLife)
            writer.fcm(content, kind: kind, secondsToLive: life)
        case .wns: writer.wns(content, kind: kind)
        }
        return writer.bytes
    }

    private static func seconds(from now: Date, to expires: Date) -> Int64 {
        max(0, Int64(expires.timeIntervalSince(now).rounded(.up)))
    }
}

/// What one push says: the values that go into a ``PushBody``.
package struct PushContent: Hashable, Sendable {
    package var notification: NotificationID
    /// `richType`; rich only.
    package var type: String?
    /// nil where it is private (rich) or there is none (secure).
    package var message: String?

    package init(notification: NotificationID, type: String? = nil, message: String? = nil) {
        self.notification = notification
        self.type = type
        self.message = message
    }
}

/// One header that goes with a push, beside those of the hub's protocol.
package struct PushHeader: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
