import Foundation
import NIOHTTP1

/// One page of a listing.
struct RegistrationPage: Sendable {
    /// The registrations.
    let registrations: [Registration]

    /// What asks for the next page; nil when this is the last.
    let nextToken: String?

    private let call: HubCall
    private let answer: HubAnswer

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
        var registrations: [Registration] = []
        for entry in feed.children where entry.name == "entry" {
            guard let registration = Registration(entry) else {
                throw HubError(call, answer: answer, reason: "an entry is no registration")
            }
            registrations.append(registration)
        }
        self.registrations = registrations
        // Recorded: the header's value is percent-encoded already, and is put back as it came.
        nextToken = answer.headers.first(name: "x-ms-continuationtoken").flatMap {
            $0.isEmpty ? nil : $0.removingPercentEncoding ?? $0
        }
        self.call = call
        self.answer = answer
    }

    /// The error to end the listing with for what is wrong with this page.
    func fault(_ reason: String) -> HubError {
        HubError(call, answer: answer, reason: reason)
    }
}
