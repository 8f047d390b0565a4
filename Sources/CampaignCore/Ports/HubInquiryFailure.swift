package enum HubInquiryFailure: Error, Hashable, Sendable {
    /// The hub refused the key, or its rule lacks the required right.
    case credentials(String)
    /// The hub is unreachable or throttled for too long, or its answer was lost.
    case passing(String)
    /// The endpoint is not a notification hub, or has no hub with that name.
    case misconfigured(String)
    case refused(String)
    case cancelled

    /// Says what happened and what to do; empty if cancelled.
    package var sentence: String {
        switch self {
        case .credentials(let text), .passing(let text), .misconfigured(let text),
            .refused(let text):
            text
        case .cancelled: ""
        }
    }
}
