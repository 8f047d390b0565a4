/// Knows on which platforms people have devices at the hub.
///
/// NotificationHubs implements it. Every call throws ``HubInquiryFailure`` and nothing else.
package protocol DeviceDirectory: Sendable {
    /// Asks for a person's devices.
    ///
    /// - Parameters:
    ///   - user: whose.
    ///   - platforms: the ones that are asked about; once a device on each was found, the rest is not looked at.
    /// - Returns: those of the platforms on which they have a device that a push to their tag reaches.
    func platforms(
        of user: Username, among platforms: Set<Platform>
    ) async throws(HubInquiryFailure) -> Set<Platform>
}

/// Why a hub did not answer a question.
package enum HubInquiryFailure: Error, Hashable, Sendable {
    /// Key or rule refused, or without the right to ask.
    case credentials(String)
    /// It cannot be reached, asks for patience for longer than it is waited for, or its answer was lost.
    case passing(String)
    /// What answers is no notification hub, or has no hub of the name.
    case misconfigured(String)
    /// It does not take the request.
    case refused(String)
    /// The task was cancelled.
    case cancelled

    /// What happened and what to do, as sentences; empty when the task was cancelled.
    package var sentence: String {
        switch self {
        case .credentials(let text), .passing(let text), .misconfigured(let text),
            .refused(let text):
            text
        case .cancelled: ""
        }
    }
}
