import CampaignCore
import Foundation

/// What to do with a message after the hub has responded or failed to respond.
public enum Disposition: Sendable, Hashable {
    /// The hub accepted the message.
    case accepted
    /// The hub rejected the message; sending it again would have the same result.
    case rejected
    /// The hub did not accept the message now; try again later, after the given time if there is
    /// one.
    case retry(after: Duration?)
    /// The message may have been sent. If you send it again, it may be delivered twice.
    case unknown
    /// The hub accepts no messages until someone fixes the cause.
    case stop(StopReason)
}

/// The reason why a hub accepts no messages until someone fixes the cause.
public enum StopReason: String, Sendable, Hashable, CaseIterable {
    /// The quota of pushes or requests of the hub's tier is used up.
    case quota
    /// The hub refused the key, or the rule lacks the right to send.
    case credentials
    /// There is no hub with that name.
    case hubNotFound
    /// The server is not a notification hub: it sent a redirect, or its certificate is not trusted.
    case notAHub
}

enum ExchangeEnding: Sendable, Hashable {
    /// The hub sent a response.
    case answered(status: Int, retryAfter: RetryAfter?)
    /// There is no response.
    case failed(TransportFailure)
}

extension Disposition {
    /// Determines the disposition from the result of a request; a 401 means that a renewed token
    /// was also refused.
    ///
    /// The request can be retried only if the hub reported that it did not accept the request, or
    /// if the failure occurred before the request was sent. Any other result that is neither a
    /// success nor a refusal is unknown.
    init(_ ending: ExchangeEnding, detail: String? = nil) {
        switch ending {
        case .answered(let status, let retryAfter):
            self = Self.answer(status, retryAfter, detail)
        case .failed(let failure):
            self = Self.failure(failure)
        }
    }

    /// Determines the disposition from the result of an operation.
    ///
    /// The result of an operation that can be repeated is never unknown. A 404 means that the hub
    /// is missing if the request was not for an item in the hub, or if `detail` says so; otherwise,
    /// the item is missing.
    init(_ ending: ExchangeEnding, of call: HubCall, detail: String? = nil) {
        self.init(ending, detail: detail)
        if call.isRepeatable, self == .unknown { self = .retry(after: nil) }
        // The operation does not expect this status, for example 201 for a deletion.
        if self == .accepted { self = call.isRepeatable ? .rejected : .unknown }
        let isHub = detail?.contains("No service is hosted at the specified address") ?? false
        if call.namesItem, self == .stop(.hubNotFound), !isHub { self = .rejected }
    }

    private static func answer(
        _ status: Int, _ retryAfter: RetryAfter?, _ detail: String?
    ) -> Self {
        switch status {
        case 200, 201: .accepted
        case 300...399: .stop(.notAHub)
        case 401: .stop(.credentials)
        // Older versions of the service use 403 for throttling; a 403 without the header means that
        // a right is missing.
        case 403:
            retryAfter.map { .retry(after: $0.delay) }
                ?? .stop(detail?.lowercased().contains("quota") == true ? .quota : .credentials)
        case 404: .stop(.hubNotFound)
        case 408: .unknown
        case 429: .retry(after: retryAfter?.delay)
        case 400...499: .rejected
        case 503: retryAfter.map { .retry(after: $0.delay) } ?? .unknown
        default: .unknown
        }
    }

    private static func failure(_ failure: TransportFailure) -> Self {
        if failure.requestBegan { return .unknown }
        return switch failure.cause {
        case .certificateRefused: .stop(.notAHub)
        case .invalidRequest: .rejected
        case .connectionRefused, .nameNotResolved, .unreachable, .noConnectionInTime, .tlsHandshake,
            .proxyWantsCredentials, .proxyRefused, .connectionLost, .timedOut, .malformedAnswer,
            .shutDown:
            .retry(after: nil)
        }
    }
}

enum RetryAfter: Sendable, Hashable {
    /// The `Retry-After` header, which is a number of seconds or a date.
    case delay(Duration)
    /// The header is present, but it is neither a number nor a date.
    case unreadable

    /// The longest wait in seconds, so that a faulty hub cannot delay a campaign for a year.
    static let limit = 3_600

    /// Reads the header: up to nine digits are seconds, and a date is relative to `now` on the
    /// hub's clock.
    init(_ value: String, at now: Date? = nil) {
        if let now, let date = HTTPDate.read(value) {
            let seconds = min(max(0, date.timeIntervalSince(now)), TimeInterval(Self.limit))
            self = .delay(.seconds(seconds))
            return
        }
        let digits = value.utf8.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()
        guard !digits.isEmpty,
            digits.allSatisfy(\.isDigit)
        else {
            self = .unreadable
            return
        }
        let seconds = digits.count > 9 ? Self.limit : digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        self = .delay(.seconds(min(seconds, Self.limit)))
    }

    var delay: Duration? {
        guard case .delay(let duration) = self else { return nil }
        return duration
    }
}
