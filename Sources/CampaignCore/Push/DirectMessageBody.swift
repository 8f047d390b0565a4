#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The body of a visible message from one person to another, as the tutorials' apps read it
/// (app-backend reference, section 3; FCM v1 instead of the old form).
package struct DirectMessageBody: Hashable, Sendable {
    package let platform: Platform

    package init(platform: Platform) {
        self.platform = platform
    }

    /// The most bytes that it may have.
    package var limit: Int { alert.limit }
    /// The body's media type.
    package var contentType: String { alert.contentType }

    /// The push service's headers, as ``PushBody/headers(expires:now:)``.
    package func headers(expires: Date, now: Date) -> [PushHeader] {
        alert.headers(expires: expires, now: now)
    }

    /// Writes the body in UTF-8.
    ///
    /// - Parameter text: what the person sees.
    package func bytes(_ text: String) -> [UInt8] {
        var writer = PushBodyWriter()
        switch platform {
        case .apns: writer.apns(content(text), kind: .alert)
        case .fcm: writer.fcm(message: text)
        case .wns: writer.wns(content(text), kind: .alert)
        }
        return writer.bytes
    }

    private var alert: PushBody { PushBody(kind: .alert, platform: platform) }

    private func content(_ text: String) -> PushContent {
        PushContent(notification: .placeholder, message: text)
    }
}
