import HTTPServing
import HTTPTypes

/// Why a request fails; the client sees only the description.
enum BackendFailure: Error, Equatable {
    // MARK: The request

    case unknownPath
    /// - Parameter allowed: the path's methods, as listed in `Allow`.
    case methodNotAllowed(allowed: String)
    case targetTooLong(limit: Int)
    case headTooLarge(fields: Int, bytes: Int)
    case bodyTooLarge(limit: Int)
    /// - Parameter reason: a full sentence.
    case malformed(reason: String)
    /// A browser sent the request for a page of another origin.
    case foreignOrigin
    case credentialsInPlain

    // MARK: The caller

    /// - Parameter challenges: the values of `WWW-Authenticate`.
    case unauthenticated(challenges: [String])
    case tooManyFailures(after: Duration)
    case notASender
    /// - Parameter tag: as the client wrote it.
    case tagNotAllowed(String)

    // MARK: The resource

    /// The id does not exist, belongs to somebody else, was revoked, or is malformed; the client
    /// cannot tell which.
    case noSuchNotification
    case notificationExpired
    /// The id is not the caller's or no longer exists at the hub; the device must request a new
    /// one.
    case registrationGone
    case noDevice

    // MARK: The hub and this server

    case registrationRefused
    case messageRefused
    case messageUncertain
    case busy(after: Duration)
    case unavailable(after: Duration)
    case misconfigured

    var status: HTTPResponse.Status {
        switch self {
        case .unknownPath, .noSuchNotification: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .targetTooLong: .uriTooLong
        case .headTooLarge: .requestHeaderFieldsTooLarge
        case .bodyTooLarge: .contentTooLarge
        case .malformed, .credentialsInPlain, .registrationRefused: .badRequest
        case .foreignOrigin, .notASender, .tagNotAllowed: .forbidden
        case .unauthenticated: .unauthorized
        case .tooManyFailures: .tooManyRequests
        case .notificationExpired, .registrationGone: .gone
        case .noDevice: .conflict
        case .messageRefused, .messageUncertain: .badGateway
        case .busy, .unavailable, .misconfigured: .serviceUnavailable
        }
    }

    var message: String {
        switch self {
        case .unknownPath: "There is nothing at this path."
        case .methodNotAllowed(let allowed): "This path accepts \(allowed)."
        case .targetTooLong(let limit):
            "The address is too long; it may have at most \(limit) bytes."
        case .headTooLarge(let fields, let bytes):
            "The request header is too large; it may have at most \(fields) fields and \(bytes) bytes."
        case .bodyTooLarge(let limit): "The body is too large; it may have at most \(limit) bytes."
        case .malformed(let reason): reason
        case .foreignOrigin: "Pages of other origins may not do this."
        case .credentialsInPlain: "Send credentials over https only."
        case .unauthenticated: "Sign in to do this."
        case .tooManyFailures: "Too many wrong passwords; try again later."
        case .notASender: "You may not send through this backend."
        case .tagNotAllowed(let tag): "The tag \(ClientText.quoted(tag)) is not allowed here."
        case .noSuchNotification: "There is no such notification."
        case .notificationExpired: "The notification has expired."
        case .registrationGone: "The registration id is no longer valid; request a new one."
        case .noDevice: "You have no registered device; register one first."
        case .registrationRefused:
            "The notification hub refused this handle and these tags; check both."
        case .messageRefused: "The notification hub refused the message."
        case .messageUncertain:
            "The notification hub did not answer; the message may still have been sent."
        case .busy: "The server is busy; try again later."
        case .unavailable, .misconfigured:
            "The service is not available at the moment; try again later."
        }
    }

    var outcome: String {
        switch self {
        case .unknownPath, .methodNotAllowed, .targetTooLong, .headTooLarge, .bodyTooLarge,
            .malformed:
            "malformed"
        case .foreignOrigin: "foreign_origin"
        case .credentialsInPlain: "credentials_in_plain"
        case .unauthenticated: "unauthenticated"
        case .tooManyFailures: "too_many_failures"
        case .notASender, .tagNotAllowed: "forbidden"
        case .noSuchNotification: "not_found"
        case .notificationExpired: "expired"
        case .registrationGone: "gone"
        case .noDevice: "no_device"
        case .registrationRefused, .messageRefused: "refused_by_hub"
        case .messageUncertain: "unknown"
        case .busy, .unavailable, .misconfigured: "unavailable"
        }
    }

    /// Details for the audit that the outcome does not show.
    var reason: String? {
        switch self {
        case .malformed, .headTooLarge, .tagNotAllowed: message
        case .notASender: "the user is not among backend.senders"
        default: outcome == "malformed" ? "answered with \(status.code)" : nil
        }
    }

    /// `{"Message":"…"}`.
    var body: [UInt8] {
        var body = JSONWriter()
        body.add("Message", message)
        return body.text
    }

    private var retryAfter: Duration? {
        switch self {
        case .tooManyFailures(let delay), .busy(let delay), .unavailable(let delay): delay
        case .misconfigured: .seconds(60)
        default: nil
        }
    }

    var fields: HTTPFields {
        var fields: HTTPFields = [:]
        if case .methodNotAllowed(let allowed) = self { fields[.allow] = allowed }
        if case .unauthenticated(let challenges) = self {
            for challenge in challenges {
                fields.append(HTTPField(name: .wwwAuthenticate, value: challenge))
            }
        }
        if let retryAfter {
            let (seconds, attoseconds) = retryAfter.components
            fields[.retryAfter] = String(max(1, seconds + (attoseconds > 0 ? 1 : 0)))
        }
        return fields
    }
}
