#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The body and headers of a push, for one kind on one platform.
///
/// Validation, preview and sending all use it.
package struct PushBody: Hashable, Sendable {
    package let kind: CampaignKind
    package let platform: Platform
    package let hasPlaceholder: Bool
    /// The maximum size of a body on this platform, in bytes.
    package let limit: Int
    private let lives: ClosedRange<Int64>

    package init(kind: CampaignKind, platform: Platform, hasPlaceholder: Bool = false) {
        self.kind = kind
        self.platform = platform
        self.hasPlaceholder = hasPlaceholder && kind.isSilent
        (limit, lives) = (platform.facts.limit, platform.facts.lives)
    }

    /// Whether the system shows something before the app runs.
    package var isVisible: Bool { kind == .alert || hasPlaceholder }

    package var contentType: String {
        let types = platform.facts.contentTypes
        return isVisible ? types.visible : types.silent
    }

    /// The headers for the push service, without those of the hub's protocol.
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
        default:
            []
        }
    }

    /// Writes the body of one push in UTF-8.
    ///
    /// For a secure push, it writes only the ID and the placeholder.
    package func bytes(_ content: PushContent, expires: Date, now: Date) -> [UInt8] {
        var writer = PushBodyWriter(content, kind: kind, isVisible: isVisible)
        let life = Self.seconds(from: now, to: expires)
        writer.write(
            for: platform, secondsToLive: min(max(life, lives.lowerBound), lives.upperBound))
        return writer.bytes
    }

    private static func seconds(from now: Date, to expires: Date) -> Int64 {
        max(0, Int64(expires.timeIntervalSince(now).rounded(.up)))
    }
}

package struct PushContent: Sendable {
    package var notification: NotificationID
    /// The value of `richType`; only set for rich pushes.
    package var type: String?
    /// The texts, without those that the kind does not have or that are private (rich).
    package var texts: Texts<String>
    /// The link; never set for secure pushes.
    package var link: String?
    /// More keys for the app, without repeats; never set for secure pushes.
    package var data: [(key: String, value: String)]
    /// The number on the app's icon; 0 removes it.
    package var badge: Int?
    package var sound: String?
    package var thread: String?

    package init(
        notification: NotificationID, type: String? = nil,
        texts: Texts<String> = Texts(), link: String? = nil,
        data: [(key: String, value: String)] = [], badge: Int? = nil, sound: String? = nil,
        thread: String? = nil
    ) {
        self.notification = notification
        self.type = type
        self.texts = texts
        self.link = link
        self.data = data
        self.badge = badge
        self.sound = sound
        self.thread = thread
    }
}

/// A header that is not part of the hub's protocol.
package struct PushHeader: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
