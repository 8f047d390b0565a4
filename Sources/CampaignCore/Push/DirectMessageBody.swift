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
        var writer = PushBodyWriter(
            PushContent(notification: .placeholder, message: text), kind: .alert, isVisible: true)
        switch platform {
        case .apns: writer.apns()
        case .wns: writer.wns()
        case .browser: writer.browser()
        case .fcm: return Array(#"{"message":{"data":"#.utf8) + data(text) + Array("}}".utf8)
        case .adm: return Array(#"{"data":"#.utf8) + data(text) + Array("}".utf8)
        }
        return writer.bytes
    }

    /// The message as a key, which the app shows itself.
    private func data(_ text: String) -> [UInt8] {
        var bytes = Array(#"{"message":"#.utf8)
        JSONText.append(text, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private var alert: PushBody { PushBody(kind: .alert, platform: platform) }
}
