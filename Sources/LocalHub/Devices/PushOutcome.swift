/// What a push service made of a push; the raw values are the service's outcome names (reference, section 5).
package enum PushOutcome: String, Sendable, Codable, CaseIterable {
    /// It reached the device.
    case success = "Success"
    /// It is larger than the push service takes, and did not reach the device.
    case invalidNotificationSize = "InvalidNotificationSize"
}
