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
