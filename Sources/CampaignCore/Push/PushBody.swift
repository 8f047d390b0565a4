#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The body and headers of a push, for one kind on one platform.
///
/// Validation, preview and sending all use it.
package struct PushBody: Hashable, Sendable {
    /// FCM keeps a message four weeks at most.
    private static let longestFCMLife: Int64 = 2_419_200
    /// ADM keeps a message for a minute to 31 days.
    private static let admLives: ClosedRange<Int64> = 60...2_678_400

    package let kind: CampaignKind
    package let platform: Platform
    package let hasPlaceholder: Bool

    package init(kind: CampaignKind, platform: Platform, hasPlaceholder: Bool = false) {
        self.kind = kind
        self.platform = platform
        self.hasPlaceholder = hasPlaceholder && kind.isSilent
    }

    /// Whether the system shows something before the app runs.
    package var isVisible: Bool { kind == .alert || hasPlaceholder }

    /// The most bytes a body may have on this platform.
    package var limit: Int {
        switch platform {
        case .apns, .fcm: 4096
        case .wns: 5000
        case .adm: 6144
        // Encryption adds up to 103 bytes, and 4,096 must be enough (RFC 8291, section 4).
        case .browser: 3993
        }
    }

    package var contentType: String {
        switch platform {
        case .wns: isVisible ? "application/xml" : "application/octet-stream"
        case .apns, .fcm, .adm, .browser: "application/json;charset=utf-8"
        }
    }

    /// The push service's headers, without those of the hub's protocol.
    package func headers(expires: Date, now: Date) -> [PushHeader] {
        switch (platform, isVisible) {
        case (.apns, let isVisible):
            [
                PushHeader("apns-push-type", isVisible ? "alert" : "background"),
                PushHeader("apns-priority", isVisible ? "10" : "5"),
                PushHeader("apns-expiration", String(Int64(expires.timeIntervalSince1970))),
            ]
        case (.wns, false):
            [
                PushHeader("X-WNS-Type", "wns/raw"),
                PushHeader("X-WNS-Cache-Policy", "cache"),
                PushHeader("X-WNS-TTL", String(Self.seconds(from: now, to: expires))),
            ]
        case (.wns, true):
            [PushHeader("X-WNS-Type", "wns/toast")]
        case (.fcm, _), (.adm, _), (.browser, _):
            []
        }
    }

    /// Writes the body of one push in UTF-8.
    ///
    /// For a secure push it writes only the id and the placeholder.
    package func bytes(_ content: PushContent, expires: Date, now: Date) -> [UInt8] {
        var writer = PushBodyWriter(content, kind: kind, isVisible: isVisible)
        let life = Self.seconds(from: now, to: expires)
        switch platform {
        case .apns: writer.apns()
        case .fcm: writer.fcm(secondsToLive: min(life, Self.longestFCMLife))
        case .wns: writer.wns()
        case .adm:
            let (least, most) = (Self.admLives.lowerBound, Self.admLives.upperBound)
            writer.adm(secondsToLive: max(least, min(life, most)))
        case .browser: writer.browser()
        }
        return writer.bytes
    }

    package static func shortestLife(on platform: Platform) -> Duration {
        platform == .adm ? .seconds(admLives.lowerBound) : .zero
    }

    private static func seconds(from now: Date, to expires: Date) -> Int64 {
        max(0, Int64(expires.timeIntervalSince(now).rounded(.up)))
    }
}

package struct PushContent: Sendable {
    package var notification: NotificationID
    /// nil if private (rich) or missing.
    package var title: String?
    /// `richType`; rich only.
    package var type: String?
    /// nil if private (rich) or missing (secure).
    package var message: String?
    /// Shown until the device has fetched the rest; secure and rich only.
    package var placeholder: String?
    /// Never for secure.
    package var link: String?
    /// Further keys for the app, unique; never for secure.
    package var data: [(key: String, value: String)]
    /// The number on the app's icon; 0 removes it.
    package var badge: Int?
    package var sound: String?
    package var thread: String?

    package init(
        notification: NotificationID, title: String? = nil, type: String? = nil,
        message: String? = nil, placeholder: String? = nil, link: String? = nil,
        data: [(key: String, value: String)] = [], badge: Int? = nil, sound: String? = nil,
        thread: String? = nil
    ) {
        self.notification = notification
        self.title = title
        self.type = type
        self.message = message
        self.placeholder = placeholder
        self.link = link
        self.data = data
        self.badge = badge
        self.sound = sound
        self.thread = thread
    }
}

/// A header besides those of the hub's protocol.
package struct PushHeader: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
