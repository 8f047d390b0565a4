import Foundation
import NIOHTTP1

/// Registrations as the hub lists them, page by page: a page is asked for when the one before has
/// been used up.
///
/// ```swift
/// for try await registration in client.registrations(tag: Tag("username:alice")) {
///     print(registration.id ?? "")
/// }
/// ```
///
/// A listing is no snapshot: what is registered meanwhile may or may not be in it.
public struct RegistrationListing: AsyncSequence, Sendable {
    /// One registration.
    public typealias Element = Registration

    let client: NotificationHubClient
    let path: [String]
    let query: [(name: String, value: String?)]

    /// Begins a listing from its start.
    ///
    /// - Returns: the iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(listing: self)
    }

    /// Goes through a listing.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The most pages: all registrations of a hub of the largest tier, ten at a time.
        static let pageLimit = 1_000_000
        /// The longest continuation token, in bytes.
        static let tokenLimit = 4_096
        /// The most bytes of a page.
        static let bodyLimit = 4 * 1_024 * 1_024

        private let listing: RegistrationListing
        private var page: [Registration].SubSequence = []
        private var token: String?
        /// Hashes of the tokens so far: tokens may be long, and a hub cannot make hashes collide whose seed it does not
        /// know.
        private var seen: Set<Int> = []
        private var isAtEnd = false

        init(listing: RegistrationListing) {
            self.listing = listing
        }

        /// The next registration.
        ///
        /// - Returns: nil after the last one.
        /// - Throws: ``HubError`` when a page cannot be had, or the hub leads the listing in circles;
        ///   `CancellationError` when the task was cancelled.
        public mutating func next() async throws -> Registration? {
            while page.isEmpty, !isAtEnd {
                try Task.checkCancellation()
                let read = try await listing.page(behind: token)
                page = read.registrations[...]
                token = read.nextToken
                isAtEnd = token == nil
                guard let token else { continue }
                guard token.utf8.count <= Self.tokenLimit else {
                    throw read.fault("a continuation token has more than \(Self.tokenLimit) bytes")
                }
                guard seen.insert(token.hashValue).inserted else {
                    throw read.fault(
                        "the hub repeats a continuation token, so the listing would never end")
                }
                guard seen.count < Self.pageLimit else {
                    throw read.fault("the listing has more than \(Self.pageLimit) pages")
                }
            }
            return page.popFirst()
        }
    }

    /// Asks for one page.
    private func page(behind token: String?) async throws -> RegistrationPage {
        var call = HubCall(
            operation: "listing of registrations", method: .GET, path: path,
            accepts: 200...200, isRepeatable: true, bodyLimit: AsyncIterator.bodyLimit)
        call.query = query
        if let token { call.query.append((name: "continuationtoken", value: token)) }
        return try RegistrationPage(try await client.answer(to: call), of: call)
    }
}

extension RegistrationListing: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// No handle, no tag.
    public var description: String { "RegistrationListing(query hidden)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RegistrationListing.AsyncIterator: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// No handle, no tag.
    public var description: String { "RegistrationListing.AsyncIterator(query hidden)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

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
