/// Why what a proxy handed on cannot be believed; for the audit.
enum ForwardedFault: String, Error, Hashable, Sendable {
    case tooLong = "Forwarded or X-Forwarded-For is too long"
    case malformed = "Forwarded or X-Forwarded-For is malformed"
    case contradiction = "Forwarded and X-Forwarded-For disagree about the client"

    /// The sentence for the client, and for whoever sets the proxy up.
    var message: String {
        switch self {
        case .tooLong:
            "The proxy in front handed on a Forwarded or X-Forwarded-For that is too long."
        case .malformed: "The proxy in front handed on a malformed address."
        case .contradiction:
            "The proxy in front handed on Forwarded and X-Forwarded fields that disagree."
        }
    }
}
