/// Why what a proxy handed on cannot be believed; for the audit.
enum ForwardedFault: String, Error, Hashable, Sendable {
    case tooLong = "Forwarded or X-Forwarded-For is too long"
    case malformed = "Forwarded or X-Forwarded-For is malformed"
    case contradiction = "Forwarded and X-Forwarded-For name different clients"
}
