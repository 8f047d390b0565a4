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
            while page.isEmpty, !isAtEnd {
                try Task.checkCancellation()
                let read = try await listing.page(behind: token)
                page = read.registrations[...]
                token = read.nextToken
                isAtEnd = token == nil
                if let token, !seen.insert(token).inserted || seen.count >= Self.pageLimit {
                    throw read.endlessness
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
