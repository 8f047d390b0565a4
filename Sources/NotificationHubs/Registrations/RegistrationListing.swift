import Foundation
import NIOHTTP1

/// The registrations of a hub; each page is read after the previous page has been consumed.
///
/// Registrations that are created in the meantime may be missing. To continue a listing later or in
/// another process, use ``page(at:)``.
public struct RegistrationListing: AsyncSequence, Sendable {
    /// A registration.
    public typealias Element = Registration

    /// The error that a failed request for a page throws.
    public typealias Failure = HubError

    let client: NotificationHubClient
    let path: [String]
    let query: [(name: String, value: String?)]
    /// The token of the first page to read; nil means the beginning.
    let start: ListingToken?

    /// Starts the listing, at the beginning or at the token with which it was created.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(listing: self)
    }

    /// Reads the first page, or the page for a token from ``RegistrationPage/next``.
    public func page(at token: ListingToken? = nil) async throws(HubError) -> RegistrationPage {
        var call = HubCall(
            operation: "listing of registrations", method: .GET, path: path,
            accepts: 200...200, isRepeatable: true, bodyLimit: RegistrationPage.bodyLimit)
        call.query = query
        if let token = token ?? start {
            call.query.append((name: "continuationtoken", value: token.text))
        }
        return try RegistrationPage(try await client.answer(to: call), of: call)
    }

    /// Iterates over a listing.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The error that a failed request for a page throws.
        public typealias Failure = HubError

        /// The maximum number of pages, enough for all registrations of a hub in the largest tier
        /// with ten per page.
        static let pageLimit = 1_000_000

        private let listing: RegistrationListing
        private var page: [Registration].SubSequence = []
        private var token: ListingToken?
        /// The hashes of the tokens so far, because tokens may be long; without the seed, a hub
        /// cannot cause collisions.
        private var seen: Set<Int> = []
        private var isAtEnd = false

        init(listing: RegistrationListing) {
            self.listing = listing
        }

        /// Returns the next registration; nil after the last one.
        public mutating func next() async throws(HubError) -> Registration? {
            while page.isEmpty, !isAtEnd {
                guard !Task.isCancelled else {
                    throw HubError(notBegun: "listing of registrations", .cancelled)
                }
                let read = try await listing.page(at: token)
                page = read.registrations[...]
                token = read.next
                isAtEnd = token == nil
                guard let token else { continue }
                guard seen.insert(token.hashValue).inserted else {
                    throw read.error(
                        "the hub repeats a continuation token, so the listing would never end")
                }
                guard seen.count < Self.pageLimit else {
                    throw read.error("the listing has more than \(Self.pageLimit) pages")
                }
            }
            return page.popFirst()
        }
    }
}

extension RegistrationListing: SecretHolder {
    /// A description without handles and tags.
    public var description: String { "RegistrationListing(query hidden)" }
}

extension RegistrationListing.AsyncIterator: SecretHolder {
    /// A mirror without handles and tags.
    public var description: String { "RegistrationListing.AsyncIterator(query hidden)" }
}

/// The position where a listing continues; it is valid only for the same listing of the same hub.
public struct ListingToken: Sendable, Hashable {
    static let lengthLimit = 4_096

    /// The token as a string, so that it can be stored.
    public let text: String

    /// Restores a token from its ``text``; nil if the text is empty or longer than 4,096 bytes.
    public init?(_ text: String) {
        guard (1...Self.lengthLimit).contains(text.utf8.count) else { return nil }
        self.text = text
    }
}

extension ListingToken: SecretHolder {
    /// Hides the text, because it may contain a handle.
    public var description: String { "ListingToken(hidden)" }
}

/// A page of a listing.
public struct RegistrationPage: Sendable {
    static let bodyLimit = 4 * 1_024 * 1_024

    /// The registrations.
    public let registrations: [Registration]

    /// The token for the next page; nil on the last page.
    public let next: ListingToken?

    private let call: HubCall
    private let answer: HubAnswer

    init(_ answer: HubAnswer, of call: HubCall) throws(HubError) {
        let feed = try HubElement(answer, of: call)
        guard feed.name == "feed" else {
            throw HubError(call, answer: answer, reason: "the response is not an Atom feed")
        }
        var registrations: [Registration] = []
        for entry in feed.children where entry.name == "entry" {
            guard let registration = Registration(entry) else {
                throw HubError(call, answer: answer, reason: "an entry is not a registration")
            }
            registrations.append(registration)
        }
        self.registrations = registrations
        next = try Self.token(in: answer, of: call)
        self.call = call
        self.answer = answer
    }

    private static func token(
        in answer: HubAnswer, of call: HubCall
    ) throws(HubError) -> ListingToken? {
        // In recordings of the service, the value of the header is already percent-encoded, so it
        // is sent back unchanged.
        guard let header = answer.headers.first(name: "x-ms-continuationtoken"), !header.isEmpty
        else { return nil }
        let text = header.removingPercentEncoding ?? header
        guard !answer.secrets.areTold(by: text.utf8) else {
            throw HubError(
                call, answer: answer, reason: "the response contains the client's key or token")
        }
        guard let token = ListingToken(text) else {
            throw HubError(
                call, answer: answer,
                reason: "a continuation token has more than \(ListingToken.lengthLimit) bytes")
        }
        return token
    }

    func error(_ reason: String) -> HubError {
        HubError(call, answer: answer, reason: reason)
    }
}

extension RegistrationPage: SecretHolder {
    /// The number of registrations, and whether more follow.
    public var description: String {
        "RegistrationPage(\(registrations.count) "
            + "registrations\(next == nil ? "" : ", more follow"))"
    }

    /// A mirror with the registrations, whose handles are hidden, and the token, whose text is
    /// hidden.
    public var customMirror: Mirror {
        Mirror(self, children: ["registrations": registrations, "next": next as Any])
    }
}
