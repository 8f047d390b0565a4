import Foundation
import NIOHTTP1

/// One page of a listing.
struct RegistrationPage: Sendable {
    /// The registrations.
    let registrations: [Registration]

    /// What asks for the next page; nil when this is the last.
    let nextToken: String?

    /// The error to end the listing with when the hub has given this token before.
    let endlessness: HubError

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - answer: the hub's answer.
    ///   - call: what it answers.
    /// - Throws: ``HubError`` when the answer is no feed.
    init(_ answer: HubAnswer, of call: HubCall) throws(HubError) {
        let feed = try HubElement(answer, of: call)
        guard feed.name == "feed" else {
            throw HubError(call, answer: answer, reason: "the answer is no Atom feed")
        }
        registrations = feed.children.compactMap(Registration.init)
        // Recorded: the header's value is percent-encoded already, and is put back as it came.
        nextToken = answer.headers.first(name: "x-ms-continuationtoken").flatMap {
            $0.isEmpty ? nil : $0.removingPercentEncoding ?? $0
        }
        endlessness = HubError(
            call, answer: answer,
            reason: "the hub repeats a continuation token, so the listing would never end")
    }
}
