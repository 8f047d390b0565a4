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
        /// The most pages; a hub of the largest tier has as many registrations.
        static let pageLimit = 100_000
        /// The most bytes of a page.
        static let bodyLimit = 4 * 1_024 * 1_024

        private let listing: RegistrationListing
        private var page: [Registration].SubSequence = []
        private var token: String?
        private var seen: Set<String> = []
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
            while page.isEmpty {
                guard !isAtEnd else { return nil }
                try Task.checkCancellation()
                try await readPage()
            }
            return page.removeFirst()
        }

        private mutating func readPage() async throws(HubError) {
            var call = HubCall(
                operation: "listing of registrations", method: .GET, path: listing.path,
                accepts: 200...200, isRepeatable: true, bodyLimit: Self.bodyLimit)
            call.query = listing.query
            if let token { call.query.append((name: "continuationtoken", value: token)) }
            let answer = try await listing.client.answer(to: call)
            let feed = try HubElement(answer, of: call)
            guard feed.name == "feed" else {
                throw HubError(call, answer: answer, reason: "the answer is no Atom feed")
            }
            page = feed.children.compactMap(Registration.init)[...]
            // Recorded: the header's value is percent-encoded already, and is put back as it came.
            token = answer.headers.first(name: "x-ms-continuationtoken").flatMap {
                $0.isEmpty ? nil : $0.removingPercentEncoding ?? $0
            }
            guard let token else {
                isAtEnd = true
                return
            }
            guard seen.insert(token).inserted, seen.count < Self.pageLimit else {
                throw HubError(
                    call, answer: answer,
                    reason: "the hub repeats a continuation token, so the listing would never end")
            }
        }
    }
}
