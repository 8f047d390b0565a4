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

    /// The push service knows the device of a handle no longer.
    ///
    /// - Parameter platform: the push service; the two of Windows speak of channels.
    /// - Returns: the refusal.
    static func expiredAddress(on platform: LocalHubPlatform) -> PushRefusal {
        platform == .wns || platform == .mpns
            ? PushRefusal(outcome: .expiredChannel, reason: "The channel has expired.")
            : PushRefusal(
                outcome: .wrongToken, reason: "The registration of the device has expired.")
    }
}
