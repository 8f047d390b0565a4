package enum HubInquiryFailure: Error, Hashable, Sendable {
    /// Key or rule refused, or lacking the right to ask.
    case credentials(String)
    /// Unreachable, throttled for too long, or the answer was lost.
    case passing(String)
    /// Not a notification hub, or no hub of that name.
    case misconfigured(String)
    case refused(String)
    case cancelled

    /// What happened and what to do; empty if cancelled.
    package var sentence: String {
        switch self {
        case .credentials(let text), .passing(let text), .misconfigured(let text),
            .refused(let text):
            text
        case .cancelled: ""
        }
    }
}
