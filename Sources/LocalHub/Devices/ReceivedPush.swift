package import struct Foundation.Date

/// A push as its device, or the push service before it, got it.
package struct ReceivedPush: Sendable, Hashable {
    /// The id of the send, as in its `Location`.
    package let notificationID: String
    /// The push service that it went through.
    package let platform: LocalHubPlatform
    /// The headers of the send that matter to push services, names in lower case: the format, the
    /// content type, and all `apns-*`, `x-apns-*`, `x-wns-*` and the like.
    package let headers: [String: String]
    /// The payload.
    package let body: [UInt8]
    /// When the hub sent it on.
    package let time: Date
    /// What the push service made of it.
    package let outcome: PushOutcome
    /// Why it did not reach the device, as a sentence; nil when it did.
    package var reason: String?

    /// The payload as text; bytes that are not UTF-8 are replaced.
    package var text: String {
        String(decoding: body, as: UTF8.self)
    }
}

extension ReceivedPush: CustomStringConvertible, CustomReflectable {
    /// The push without payload and headers.
    package var description: String {
        "push \(notificationID) on \(platform.rawValue): \(outcome.rawValue), \(body.count) bytes"
    }

    /// The push for dumps, without payload and headers.
    package var customMirror: Mirror {
        Mirror(self, children: ["notificationID": notificationID, "outcome": outcome])
    }
}
