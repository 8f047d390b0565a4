package import Foundation
import NIOCore
import NIOHTTP1

/// What a hub answers to a request that changes nothing: whether it is there, whether it takes the key, and what time it has.
package struct HubInspection: Sendable {
    /// Why the request came to nothing; nil: the hub has answered it.
    package let error: HubError?
    /// The time that the answer names; nil where it names none.
    package let date: Date?
}

extension NotificationHubClient {
    /// Asks the hub for one registration, once, and drops it.
    ///
    /// - Returns: what the answer tells.
    package func inspect() async -> HubInspection {
        var call = HubCall(
            operation: "look at the hub", method: .GET, path: ["registrations"],
            accepts: 200...200, isRepeatable: true, bodyLimit: RegistrationPage.bodyLimit)
        call.query = [(name: "$top", value: "1")]
        let trackingID = UUID().uuidString.lowercased()
        guard let url = encoder.url(of: call) else {
            return HubInspection(
                error: HubError(
                    call, trackingID: trackingID,
                    ending: .failed(TransportFailure(cause: .invalidRequest)), answer: nil),
                date: nil)
        }
        let request = SendRequest(
            trackingID: trackingID, headers: encoder.headers(of: call, trackingID: trackingID),
            body: ByteBuffer())
        let exchange = await exchange(
            request, method: call.method, at: url, bodyLimit: call.bodyLimit)
        switch exchange.result {
        case .success(let answer):
            let date = answer.headers.first(name: "Date").flatMap(HTTPDate.read)
            guard !call.accepts.contains(answer.status) else {
                return HubInspection(error: nil, date: date)
            }
            return HubInspection(
                error: HubError(
                    call, trackingID: trackingID,
                    ending: .answered(status: answer.status, retryAfter: answer.retryAfter),
                    answer: answer), date: date)
        case .failure(let failure):
            return HubInspection(
                error: HubError(
                    call, trackingID: trackingID, ending: .failed(failure), answer: nil),
                date: nil)
        }
    }
}

/// The time as servers write it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads one; nil when it is written otherwise.
    static func read(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: "\(words[2])"),
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
