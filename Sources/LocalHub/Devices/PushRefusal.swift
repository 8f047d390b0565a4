/// Why a push does not reach its device.
struct PushRefusal: Sendable, Hashable, Codable {
    /// What the push service made of the push; never `success`.
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

    /// The push service knows no device of a handle.
    ///
    /// - Parameters:
    ///   - platform: the push service; the two of Windows speak of channels.
    ///   - wasKnown: whether it knew one until lately.
    /// - Returns: the refusal.
    static func wrongAddress(on platform: LocalHubPlatform, wasKnown: Bool) -> PushRefusal {
        guard platform == .wns || platform == .mpns else {
            return PushRefusal(
                outcome: .wrongToken,
                reason: wasKnown
                    ? "The registration of the device has expired."
                    : "No registration leads to the device.")
        }
        return wasKnown
            ? PushRefusal(outcome: .expiredChannel, reason: "The channel has expired.")
            : PushRefusal(outcome: .badChannel, reason: "No registration leads to the channel.")
    }
}
