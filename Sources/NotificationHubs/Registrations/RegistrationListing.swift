import Foundation
import NIOHTTP1

/// Registrations as the hub lists them, page by page, each read when the one before has been used
/// up.
///
/// Registrations that are made meanwhile may or may not be listed. A listing that continues later,
/// or in another process, uses ``page(at:)``.
public struct RegistrationListing: AsyncSequence, Sendable {
    /// One registration.
    public typealias Element = Registration

    /// Why a page cannot be had.
    public typealias Failure = HubError

    let client: NotificationHubClient
    let path: [String]
    let query: [(name: String, value: String?)]
    /// nil for the first page.
    let start: ListingToken?

    /// Begins the listing: at its start, or where the token leads that it was made with.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(listing: self)
    }

    /// Reads one page: the first, or the one of a token, which ``RegistrationPage/next`` of the
    /// page before gives.
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

    /// Goes through a listing.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Why a page cannot be had.
        public typealias Failure = HubError

        /// All registrations of a hub of the largest tier, ten at a time.
        static let pageLimit = 1_000_000

        private let listing: RegistrationListing
        private var page: [Registration].SubSequence = []
        private var token: ListingToken?
        /// Hashes of the tokens so far: tokens may be long, and a hub does not know the seed to
        /// make hashes collide.
        private var seen: Set<Int> = []
        private var isAtEnd = false

        init(listing: RegistrationListing) {
            self.listing = listing
        }

        /// The next registration; nil after the last one.
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
}

extension RegistrationListing: SecretHolder {
    /// No handle, no tag.
    public var description: String { "RegistrationListing(query hidden)" }
}

extension RegistrationListing.AsyncIterator: SecretHolder {
    /// No handle, no tag.
    public var description: String { "RegistrationListing.AsyncIterator(query hidden)" }
}

/// Where a listing continues; only the same listing of the same hub can read it.
public struct ListingToken: Sendable, Hashable {
    static let lengthLimit = 4_096

    /// The hub's own text, for keeping the token.
    public let text: String

    /// Restores a token from its ``text``; nil when that is empty or longer than 4,096 bytes.
    public init?(_ text: String) {
        guard (1...Self.lengthLimit).contains(text.utf8.count) else { return nil }
        self.text = text
    }
}

extension ListingToken: SecretHolder {
    /// Not the text, in which a hub may have put a handle.
    public var description: String { "ListingToken(hidden)" }
}

/// One page of a listing.
public struct RegistrationPage: Sendable {
    static let bodyLimit = 4 * 1_024 * 1_024

    /// The registrations.
    public let registrations: [Registration]

    /// What asks for the next page; nil when this is the last.
    public let next: ListingToken?

    private let call: HubCall
    private let answer: HubAnswer

    init(_ answer: HubAnswer, of call: HubCall) throws(HubError) {
        let feed = try HubElement(answer, of: call)
        guard feed.name == "feed" else {
            throw HubError(call, answer: answer, reason: "the answer is not an Atom feed")
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
        // Recorded: the header's value is already percent-encoded, and is sent back unchanged.
        guard let header = answer.headers.first(name: "x-ms-continuationtoken"), !header.isEmpty
        else { return nil }
        let text = header.removingPercentEncoding ?? header
        guard !answer.secrets.areTold(by: text.utf8) else {
            throw HubError(
                call, answer: answer, reason: "the answer repeats the client's key or token")
        }
        guard let token = ListingToken(text) else {
            throw HubError(
                call, answer: answer,
                reason: "a continuation token has more than \(ListingToken.lengthLimit) bytes")
        }
        return token
    }

    func fault(_ reason: String) -> HubError {
        HubError(call, answer: answer, reason: reason)
    }
}

extension RegistrationPage: SecretHolder {
    /// How many registrations there are, and whether more follow.
    public var description: String {
        "RegistrationPage(\(registrations.count) registrations\(next == nil ? "" : ", more follow"))"
    }

    /// The registrations, which hide their handles, and the token, which hides its text.
    public var customMirror: Mirror {
        Mirror(self, children: ["registrations": registrations, "next": next as Any])
    }
}
