package import FoundationEssentials

/// What is to be written down about one delivery.
package struct DeliveryRecord: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// It waits for another try; nothing is under way.
        case waiting
        /// It ended.
        case ended(Outcome)
    }

    package var number: Int
    package var platform: Platform
    package var state: State
    /// Tries made, this one included.
    package var attempts: Int
    /// Whether any try may have gone out without a known answer.
    package var isUncertain: Bool
    /// Status and reason, without controls, at most 200 characters.
    package var detail: String
    package var hubMessage: String?
    package var recordedAt: Date

    package init(
        number: Int, platform: Platform, state: State, attempts: Int, isUncertain: Bool,
        detail: String, hubMessage: String?, recordedAt: Date
    ) {
        self.number = number
        self.platform = platform
        self.state = state
        self.attempts = attempts
        self.isUncertain = isUncertain
        self.detail = detail
        self.hubMessage = hubMessage
        self.recordedAt = recordedAt
    }
}
