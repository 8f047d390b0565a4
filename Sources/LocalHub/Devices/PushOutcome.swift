/// What a push service made of a push; the raw values are the service's outcome names (reference, section 5).
package enum PushOutcome: String, Sendable, Codable, CaseIterable {
    /// It reached the device.
    case success = "Success"
    /// The handle is none that the push service knows.
    case wrongToken = "WrongToken"
    /// The channel is none that the push service knows, or not of its app.
    case badChannel = "BadChannel"
    /// The channel was good once.
    case expiredChannel = "ExpiredChannel"
    /// The hub's credentials are not those of the app.
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
    /// There was nobody to push to.
    case noTargets = "NoTargets"
    /// The hub gave up after half an hour.
    case abandonedNotificationMessages = "AbandonedNotificationMessages"
    /// The push service was not spoken to as it wants to be.
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
