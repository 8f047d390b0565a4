package import struct Foundation.Date

/// A push as its device received it, or its push service refused it.
package struct ReceivedPush: Sendable, Hashable {
    /// The id of the send, as in its `Location`.
    package let notificationID: String
    package let platform: LocalHubPlatform
    /// The headers that matter to push services, names in lower case: format, content type,
    /// `apns-*`, `x-wns-*` and so on.
    package let headers: [String: String]
    package let body: [UInt8]
    package let time: Date
    package let outcome: PushOutcome
    /// Why it did not reach the device, as a sentence; nil when it did.
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

/// What became of a push; the raw values are the service's outcome names.
package enum PushOutcome: String, Sendable, Codable, CaseIterable {
    case success = "Success"
    case wrongToken = "WrongToken"
    /// The push service does not know the channel, or it belongs to another app.
    case badChannel = "BadChannel"
    /// The channel has expired.
    case expiredChannel = "ExpiredChannel"
    /// The hub's credentials are not valid for the app.
    case invalidCredentials = "InvalidCredentials"
    case invalidNotificationSize = "InvalidNotificationSize"
    /// The push service takes no more from this sender for now.
    case throttled = "Throttled"
    /// The push service takes no more for this device for now.
    case channelThrottled = "ChannelThrottled"
    /// The device is not connected.
    case channelDisconnected = "ChannelDisconnected"
    case dropped = "Dropped"
    /// The same notification went to the same handle already.
    case skipped = "Skipped"
    /// No device was a target.
    case noTargets = "NoTargets"
    /// The hub gave up after half an hour.
    case abandonedNotificationMessages = "AbandonedNotificationMessages"
    /// The hub did not keep to the push service's protocol.
    case pnsInterfaceError = "PnsInterfaceError"
    case pnsServerError = "PnsServerError"
    case pnsUnavailable = "PnsUnavailable"
    case pnsUnreachable = "PnsUnreachable"
    case unknownError = "UnknownError"
}

struct PushRefusal: Sendable, Hashable, Codable {
    /// Never `success`.
    let outcome: PushOutcome
    /// Why, as a sentence; it repeats neither payload nor handle.
    let reason: String

    static func dropped(_ reason: String) -> PushRefusal {
        PushRefusal(outcome: .dropped, reason: reason)
    }

    static let repeated = PushRefusal(
        outcome: .skipped, reason: "The device got this notification through another target.")

    static let tooLarge = PushRefusal(
        outcome: .invalidNotificationSize,
        reason: "The template makes more than \(TemplateBody.largest) bytes of the properties.")

    /// What an app takes for a device token of APNs, such as its description; nil: it is one.
    static func malformedAddress(_ device: DeviceAddress) -> PushRefusal? {
        guard device.platform == .apns, !device.handle.utf8.allSatisfy(\.isHexDigit) else {
            return nil
        }
        return PushRefusal(
            outcome: .badChannel,
            reason: "The handle is not a device token, which APNs writes in hexadecimal digits.")
    }

    /// The push service no longer knows the handle.
    static func expiredAddress(on platform: LocalHubPlatform) -> PushRefusal {
        platform == .wns || platform == .mpns
            ? PushRefusal(outcome: .expiredChannel, reason: "The channel has expired.")
            : PushRefusal(
                outcome: .wrongToken, reason: "The registration of the device has expired.")
    }
}
