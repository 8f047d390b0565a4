import CampaignCore
import Foundation

/// What to do about a message after the hub answered or failed to answer.
public enum Disposition: Sendable, Hashable {
    /// The hub accepted it.
    case accepted
    /// The hub rejected it; sending it again gives the same result.
    case rejected
    /// The hub did not accept it now; try again later, after the given time if there is one.
    case retry(after: Duration?)
    /// It may have been sent. Sending it again can deliver it twice.
    case unknown
    /// The hub accepts neither this message nor any other until somebody fixes the cause.
    case stop(StopReason)
}

/// Why nothing can be sent to this hub until somebody fixes the cause.
public enum StopReason: String, Sendable, Hashable, CaseIterable {
    /// The hub has used up the pushes or requests of its tier.
    case quota
    /// The hub refused the key, or the rule lacks the right to send.
    case credentials
    /// There is no hub of that name.
    case hubNotFound
    /// The server is not a notification hub: it redirects, or its certificate is not trusted.
    case notAHub
}

enum ExchangeEnding: Sendable, Hashable {
    /// The hub answered.
    case answered(status: Int, retryAfter: RetryAfter?)
    /// There is no answer.
    case failed(TransportFailure)
}

extension Disposition {
    /// Decides what the end of a request means; a 401 here came after the token was renewed.
    ///
    /// It can be retried only if the hub said that it did not accept it, or if the failure came
    /// before the request began. Everything else that is neither success nor refusal is unknown.
    init(_ ending: ExchangeEnding, detail: String? = nil) {
        switch ending {
        case .answered(let status, let retryAfter):
            self = Self.answer(status, retryAfter, detail)
        case .failed(let failure):
            self = Self.failure(failure)
        }
    }

    /// Decides what the end of an operation means.
    ///
    /// A repeatable operation is never unknown. A 404 means that the hub is missing only if the
    /// request was not for an item in it, or `detail` says so.
    init(_ ending: ExchangeEnding, of call: HubCall, detail: String? = nil) {
        self.init(ending, detail: detail)
        if call.isRepeatable, self == .unknown { self = .retry(after: nil) }
        // A status that the operation does not expect, such as 201 for a deletion.
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
        // Older versions of the service throttle with 403; a missing right is a 403 without the
        // header.
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
    /// The `Retry-After` header: a number of seconds, or a date.
    case delay(Duration)
    /// The header is present but is neither.
    case unreadable

    /// The longest wait in seconds, so that a broken hub does not delay a campaign for a year.
    static let limit = 3_600

    /// Reads the header's value: up to nine digits are seconds; a date counts from `now`, by the
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
