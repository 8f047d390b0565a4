import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct DispositionTests {
    @Test(
        "Each combination of status and detail has one meaning",
        arguments: [
            (200, nil, Disposition.accepted), (201, nil, .accepted), (201, "5", .accepted),
            (202, nil, .unknown), (204, nil, .unknown), (100, nil, .unknown),
            (300, nil, .stop(.notAHub)), (302, nil, .stop(.notAHub)), (307, "5", .stop(.notAHub)),
            (400, nil, .rejected), (400, "5", .rejected), (401, nil, .stop(.credentials)),
            (401, "5", .stop(.credentials)), (402, nil, .rejected),
            (403, nil, .stop(.credentials)), (403, "7", .retry(after: .seconds(7))),
            (403, "Wed, 21 Oct 2026 07:28:00 GMT", .retry(after: nil)),
            (404, nil, .stop(.hubNotFound)), (405, nil, .rejected), (408, nil, .unknown),
            (408, "5", .unknown), (409, nil, .rejected), (410, nil, .rejected),
            (412, nil, .rejected),
            (413, nil, .rejected), (429, nil, .retry(after: nil)),
            (429, "0", .retry(after: .zero)), (429, "30", .retry(after: .seconds(30))),
            (429, "soon", .retry(after: nil)), (431, nil, .rejected),
            (500, nil, .unknown), (500, "5", .unknown), (501, nil, .unknown), (502, nil, .unknown),
            (503, nil, .unknown), (503, "9", .retry(after: .seconds(9))), (504, nil, .unknown),
            (599, nil, .unknown), (600, nil, .unknown),
        ])
    func eachCombinationOfStatusAndDetailHasOneMeaning(
        status: Int, retryAfter: String?, meaning: Disposition
    ) {
        let ending = ExchangeEnding.answered(
            status: status, retryAfter: retryAfter.map { RetryAfter($0) })

        #expect(Disposition(ending) == meaning)
    }

    @Test(
        "An exhausted quota is not reported as a wrong key",
        arguments: [
            (403, nil, "The namespace has exceeded its QUOTA of pushes.", Disposition.stop(.quota)),
            (403, nil, "Subcode=40300. Quota exceeded", .stop(.quota)),
            (403, "7", "It has exceeded its quota.", .retry(after: .seconds(7))),
            (401, nil, "It has exceeded its quota.", .stop(.credentials)),
            (403, nil, "The rule lacks the claim Send.", .stop(.credentials)),
        ])
    func exhaustedQuotaIsNotReportedAsAWrongKey(
        status: Int, retryAfter: String?, detail: String, meaning: Disposition
    ) {
        let answer = HubAnswer(
            status: status, headers: HTTPHeaders(retryAfter.map { [("Retry-After", $0)] } ?? []),
            body: Array("<Error><Code>\(status)</Code><Detail>\(detail)</Detail></Error>".utf8))
        #expect(HubError(refusedBy: answer).disposition == meaning)
    }

    @Test(
        "A failure after the request began has an unknown outcome",
        arguments: [
            (TransportFailure.Cause.connectionRefused, Disposition.retry(after: nil)),
            (.nameNotResolved, .retry(after: nil)), (.unreachable(113), .retry(after: nil)),
            (.noConnectionInTime, .retry(after: nil)), (.tlsHandshake, .retry(after: nil)),
            (.connectionLost, .retry(after: nil)), (.timedOut, .retry(after: nil)),
            (.malformedAnswer, .retry(after: nil)), (.shutDown, .retry(after: nil)),
            (.proxyRefused, .retry(after: nil)), (.proxyWantsCredentials, .retry(after: nil)),
            (.certificateRefused, .stop(.notAHub)), (.invalidRequest, .rejected),
        ])
    func failureAfterTheRequestBeganHasAnUnknownOutcome(
        cause: TransportFailure.Cause, before: Disposition
    ) {
        #expect(
            Disposition(.failed(TransportFailure(cause: cause, requestBegan: false))) == before)
        #expect(
            Disposition(.failed(TransportFailure(cause: cause, requestBegan: true))) == .unknown)
    }

    @Test(
        "Retry-After is a whole number of seconds, up to an hour",
        arguments: [
            ("0", RetryAfter.delay(.zero)), (" 12 ", .delay(.seconds(12))),
            ("3600", .delay(.seconds(3_600))), ("3601", .delay(.seconds(3_600))),
            ("99999999999999999999999", .delay(.seconds(3_600))), ("", .unreadable),
            ("-1", .unreadable), ("1.5", .unreadable), ("+1", .unreadable), ("٣", .unreadable),
            ("Wed, 21 Oct 2026 07:28:00 GMT", .unreadable),
        ])
    func retryAfterIsAWholeNumberOfSecondsUpToAnHour(text: String, value: RetryAfter) {
        #expect(RetryAfter(text) == value)
    }

    @Test(
        "If Retry-After is a date, a retry waits for it, up to an hour",
        arguments: [
            ("Wed, 21 Oct 2026 07:28:00 GMT", RetryAfter.delay(.seconds(30))),
            ("Wed, 21 Oct 2026 07:27:00 GMT", .delay(.zero)),
            ("Thu, 21 Oct 2027 07:28:00 GMT", .delay(.seconds(3_600))),
            ("12", .delay(.seconds(12))), ("Wed, 21 Oct 2026", .unreadable),
        ])
    func ifRetryAfterIsADateARetryWaitsForItUpToAnHour(text: String, value: RetryAfter) throws {
        let now = try #require(HTTPDate.read("Wed, 21 Oct 2026 07:27:30 GMT"))
        #expect(RetryAfter(text, at: now) == value)
    }

    @Test("A date in Retry-After is relative to the hub's clock")
    func dateInRetryAfterIsRelativeToTheHubsClock() {
        let headers: HTTPHeaders = [
            "Date": "Wed, 21 Oct 2026 07:27:30 GMT", "Retry-After": "Wed, 21 Oct 2026 07:27:50 GMT",
        ]
        let answer = HubAnswer(status: 429, headers: headers, body: [])
        #expect(answer.retryAfter == .delay(.seconds(20)))
    }
}
