package import struct Foundation.Date

/// A push that a device received or that its push service refused.
package struct ReceivedPush: Sendable, Hashable {
    /// The id of the send, as in the `Location` header.
    package let notificationID: String
    package let platform: LocalHubPlatform
    /// The headers for push services, such as format, content type, `apns-*` and `x-wns-*`; names
    /// are in lower case.
    package let headers: [String: String]
    package let body: [UInt8]
    package let time: Date
    package let outcome: PushOutcome
    /// A sentence that says why the push did not reach the device; nil if it did.
    package var reason: String?

    package var text: String { String(decoding: body, as: UTF8.self) }
}

extension ReceivedPush: CustomStringConvertible, CustomReflectable {
    package var description: String {
        "push \(notificationID) on \(platform.rawValue): \(outcome.rawValue), \(body.count) bytes"
    }

    package var customMirror: Mirror {
        Mirror(self, children: ["notificationID": notificationID, "outcome": outcome])
    }
}

/// The outcome of a push; the raw values are the service's outcome names.
package enum PushOutcome: String, Sendable, Codable, CaseIterable {
    case success = "Success"
    case wrongToken = "WrongToken"
    /// The push service does not know the channel, or the channel belongs to another app.
    case badChannel = "BadChannel"
    /// The channel has expired.
    case expiredChannel = "ExpiredChannel"
    /// The hub's credentials are not valid for the app.
    case invalidCredentials = "InvalidCredentials"
    case invalidNotificationSize = "InvalidNotificationSize"
    /// The push service throttles this sender.
    case throttled = "Throttled"
    /// The push service throttles this device.
    case channelThrottled = "ChannelThrottled"
    /// The device is not connected.
    case channelDisconnected = "ChannelDisconnected"
    case dropped = "Dropped"
    /// The same notification was already sent to the same handle.
    case skipped = "Skipped"
    /// There was no target device.
    case noTargets = "NoTargets"
    /// The hub gave up after half an hour.
    case abandonedNotificationMessages = "AbandonedNotificationMessages"
    /// The hub violated the push service's protocol.
    case pnsInterfaceError = "PnsInterfaceError"
    case pnsServerError = "PnsServerError"
    case pnsUnavailable = "PnsUnavailable"
    case pnsUnreachable = "PnsUnreachable"
    case unknownError = "UnknownError"
}

struct PushRefusal: Sendable, Hashable, Codable {
    /// The outcome, which is never `success`.
    let outcome: PushOutcome
    /// The reason as a sentence, without the payload or the handle.
    let reason: String

    static func dropped(_ reason: String) -> PushRefusal {
        PushRefusal(outcome: .dropped, reason: reason)
    }

    static let repeated = PushRefusal(
        outcome: .skipped, reason: "The device already received this notification.")

    static let tooLarge = PushRefusal(
        outcome: .invalidNotificationSize,
        reason:
            "With the properties filled in, the template has more than \(TemplateBody.largest) "
            + "bytes."
    )

    /// The reason for refusing text that is not an APNs token, such as the description of a `Data`
    /// value; nil for a token.
    static func malformedAddress(_ device: DeviceAddress) -> PushRefusal? {
        guard device.platform == .apns, !device.handle.utf8.allSatisfy(\.isHexDigit) else {
            return nil
        }
        return PushRefusal(
            outcome: .badChannel,
            reason: "The handle is not an APNs device token, which contains only hexadecimal "
                + "digits.")
    }

    /// The push service no longer knows the handle.
    static func expiredAddress(on platform: LocalHubPlatform) -> PushRefusal {
        platform == .wns || platform == .mpns
            ? PushRefusal(outcome: .expiredChannel, reason: "The channel has expired.")
            : PushRefusal(
                outcome: .wrongToken, reason: "The registration of the device has expired.")
    }
}
