#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The body of a visible message between people, in the form that the apps of Microsoft's tutorials
/// expect (FCM v1).
package struct DirectMessageBody: Hashable, Sendable {
    package let platform: Platform

    package init(platform: Platform) {
        self.platform = platform
    }

    /// The maximum size of the body, in bytes.
    package var limit: Int { alert.limit }
    package var contentType: String { alert.contentType }

    package func headers(expires: Date, now: Date) -> [PushHeader] {
        alert.headers(expires: expires, now: now)
    }

    package func bytes(_ text: String) -> [UInt8] {
        switch platform {
        case .fcm: Array(#"{"message":{"data":"#.utf8) + data(text) + Array("}}".utf8)
        case .adm: Array(#"{"data":"#.utf8) + data(text) + Array("}".utf8)
        default:
            alert.bytes(
                PushContent(notification: .placeholder, texts: Texts(message: text)),
                expires: .distantPast,
                now: .distantPast)
        }
    }

    /// A data message; the app shows it.
    private func data(_ text: String) -> [UInt8] {
        var bytes = Array(#"{"message":"#.utf8)
        JSONText.append(text, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private var alert: PushBody { PushBody(kind: .alert, platform: platform) }
}
