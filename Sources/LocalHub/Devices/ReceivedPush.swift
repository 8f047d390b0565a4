package import struct Foundation.Date

/// A push as its device received it, or its push service refused it.
package struct ReceivedPush: Sendable, Hashable {
    /// The id of the send, as in its `Location`.
    package let notificationID: String
    /// The push service that it went through.
    package let platform: LocalHubPlatform
    /// The headers of the send that matter to push services, names in lower case: the format, the
    /// content type, and all headers of push services, such as `apns-*`, `x-apns-*` and `x-wns-*`.
    package let headers: [String: String]
    /// The payload.
    package let body: [UInt8]
    /// When the hub sent it on.
    package let time: Date
    /// What became of it at the push service.
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

/// What became of a push at its push service; the raw values are the service's outcome names (reference, section 5).
package enum PushOutcome: String, Sendable, Codable, CaseIterable {
    /// It reached the device.
    case success = "Success"
    /// The push service does not know the handle.
    case wrongToken = "WrongToken"
    /// The push service does not know the channel, or it belongs to another app.
    case badChannel = "BadChannel"
    /// The channel has expired.
    case expiredChannel = "ExpiredChannel"
    /// The hub's credentials are not valid for the app.
    case invalidCredentials = "InvalidCredentials"
    /// It is larger than the push service takes, and did not reach the device.
    case invalidNotificationSize = "InvalidNotificationSize"
    /// The push service takes no more from this sender for now.
    case throttled = "Throttled"
    /// The push service takes no more for this device for now.
    case channelThrottled = "ChannelThrottled"
    /// The device is not connected.
    case channelDisconnected = "ChannelDisconnected"
    /// The push service refused what the push says.
    case dropped = "Dropped"
    /// The same notification went to the same handle already.
    case skipped = "Skipped"
    /// No device was a target.
    case noTargets = "NoTargets"
    /// The hub gave up after half an hour.
    case abandonedNotificationMessages = "AbandonedNotificationMessages"
    /// The hub did not keep to the push service's protocol.
    case pnsInterfaceError = "PnsInterfaceError"
    /// The push service failed.
    case pnsServerError = "PnsServerError"
    /// The push service does not work at present.
    case pnsUnavailable = "PnsUnavailable"
    /// The push service cannot be reached.
    case pnsUnreachable = "PnsUnreachable"
    /// Something else.
    case unknownError = "UnknownError"
}

/// Why a push does not reach its device.
struct PushRefusal: Sendable, Hashable, Codable {
    /// What became of the push at the push service; never `success`.
    let outcome: PushOutcome
    /// Why, as a sentence; it repeats neither payload nor handle.
    let reason: String

    /// The push service refuses what the push says.
    static func dropped(_ reason: String) -> PushRefusal {
        PushRefusal(outcome: .dropped, reason: reason)
    }

    /// The same notification went to the same handle already.
    static let repeated = PushRefusal(
        outcome: .skipped, reason: "The device got this notification through another target.")

    /// A template would make more of the properties than any push service takes.
    static let tooLarge = PushRefusal(
        outcome: .invalidNotificationSize,
        reason: "The template makes more than \(TemplateBody.largest) bytes of the properties.")

    /// The push service knows the device of a handle no longer.
    ///
    /// - Parameter platform: the push service; the two of Windows speak of channels.
    static func expiredAddress(on platform: LocalHubPlatform) -> PushRefusal {
        platform == .wns || platform == .mpns
            ? PushRefusal(outcome: .expiredChannel, reason: "The channel has expired.")
            : PushRefusal(
                outcome: .wrongToken, reason: "The registration of the device has expired.")
    }
}
