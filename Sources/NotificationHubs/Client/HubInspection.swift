import CampaignCore
package import Foundation
import NIOCore
import NIOHTTP1

/// The result of a check that changes nothing: whether the hub exists and accepts the key, and the
/// time on its clock.
package struct HubInspection: Sendable {
    /// The error; nil if the hub answered the request successfully.
    package let error: HubError?
    /// Whether the key has the right to send; it may lack other rights.
    package let maySend: Bool
    /// The time on the hub's clock.
    package let date: Date?
}

extension NotificationHubClient {
    /// An id that does not exist, because hubs generate their ids themselves.
    private static let noMessage = "0"

    /// Requests one registration or, without the right to list registrations, the telemetry of a
    /// message that does not exist.
    package func inspect() async -> HubInspection {
        var listing = HubCall(
            operation: "check of the hub", method: .GET, path: ["registrations"],
            accepts: 200...200, isRepeatable: true, bodyLimit: RegistrationPage.bodyLimit)
        listing.query = [(name: "$top", value: "1")]
        let (error, date) = await look(listing)
        guard error?.status == 403 else {
            return HubInspection(error: error, maySend: error == nil, date: date)
        }
        let message = HubCall(
            operation: "check of the hub", method: .GET, path: ["messages", Self.noMessage],
            accepts: 200...200, isRepeatable: true)
        let maySend = await look(message).error?.status == 404
        return HubInspection(error: error, maySend: maySend, date: date)
    }

    /// Makes a single request without retries, and reads only the head of the response.
    private func look(_ call: HubCall) async -> (error: HubError?, date: Date?) {
        let trackingID = UUID().uuidString.lowercased()
        func failed(_ ending: ExchangeEnding, _ answer: HubAnswer? = nil) -> HubError {
            HubError(call, trackingID: trackingID, ending: ending, answer: answer)
        }
        guard let url = encoder.url(of: call) else {
            return (failed(.failed(TransportFailure(cause: .invalidRequest))), nil)
        }
        let request = SendRequest(
            trackingID: trackingID, headers: encoder.headers(of: call, trackingID: trackingID),
            body: ByteBuffer())
        let exchange = await exchange(
            request, method: call.method, at: url, bodyLimit: call.bodyLimit)
        switch exchange.result {
        case .success(let answer):
            guard !call.accepts.contains(answer.status) else { return (nil, answer.date) }
            return (
                failed(.answered(status: answer.status, retryAfter: answer.retryAfter), answer),
                answer.date
            )
        case .failure(let failure):
            return (failed(.failed(failure)), nil)
        }
    }
}

/// A date such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
enum HTTPDate {
    static func read(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT",
            let month = CalendarDay.shortMonths.firstIndex(of: String(words[2])),
            let day = Int(words[1]), (1...31).contains(day),
            let year = Int(words[3]), (1970...9999).contains(year)
        else { return nil }
        let time = words[4].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]),
            (0...60).contains(time[2])
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(
            from: DateComponents(
                year: year, month: month + 1, day: day, hour: time[0], minute: time[1],
                second: time[2]))
    }
}
