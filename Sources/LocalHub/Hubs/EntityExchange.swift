import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird

/// An authorised request for a hub's description or for the list of hubs.
struct EntityExchange {
    let request: HubRequest
    let tracking: RequestTracking
    /// The hub's name in the path; empty if the path has none.
    let name: String
    let environment: HubEnvironment

    func answer(_ operation: EntityOperation) throws(HubFailure) -> Response {
        switch operation {
        case .read: read()
        case .list: try list()
        case .publicList: publicList()
        case .put: try put()
        case .delete: try delete()
        }
    }

    /// Reads a hub's description: `GET /{hub}`.
    ///
    /// Recorded from the service: for a hub that does not exist, it returns an empty feed, not a
    /// 404.
    private func read() -> Response {
        guard let hub = environment.namespace.hub(named: name) else { return publicList(of: []) }
        let (description, usage) = hub.update { ($0.description, $0.usage) }
        return response(
            .ok,
            AtomEntry(
                address: request.address, title: hub.name, updated: description.updated,
                published: description.created, author: author,
                content: description.xml(usage: usage)))
    }

    /// Creates a hub, or changes its description with `If-Match`: `PUT /{hub}`.
    ///
    /// Throws a 409 if the hub exists and `If-Match` is missing, or a 404 if the hub does not exist
    /// and `If-Match` is given.
    private func put() throws(HubFailure) -> Response {
        let document = try HubDescriptionDocument(request.body)
        let now = environment.now()
        if request.headers["if-match"] != nil {
            guard let hub = environment.namespace.hub(named: name) else { throw .unknownHub }
            let description = hub.describe {
                document.replace(&$0, at: now, random: environment.random)
            }
            return response(
                .ok,
                AtomEntry(
                    address: request.address, title: hub.name, updated: now, showsPublished: false,
                    author: author, content: description.xml()))
        }
        guard HubName.isValid(name) else {
            throw .badRequest(
                "The hub name \(ClientText.quoted(name)) is invalid; use letters, digits and . - "
                    + "_, beginning with a letter or digit.")
        }
        let description = try document.description(at: now, random: environment.random)
        let hub = try environment.namespace.createHub(named: name, description: description)
        return response(
            .created,
            AtomEntry(
                address: request.address, title: hub.name, updated: now, author: author,
                content: description.xml()))
    }

    /// Deletes a hub and all its data: `DELETE /{hub}`.
    private func delete() throws(HubFailure) -> Response {
        guard environment.namespace.removeHub(named: name) else { throw .unknownHub }
        return tracking.response(.ok)
    }

    /// The name of the namespace in entries, which is the host that the client used.
    private var author: String { request.authority.host }

    private func response(_ status: HTTPResponse.Status, _ entry: AtomEntry) -> Response {
        tracking.response(
            status, headers: ["Content-Type": AtomEntry.contentType], body: entry.xml)
    }
}

extension EntityExchange {
    private static let mostEntries = 100

    /// Lists the hubs with their descriptions: `GET /$Resources/NotificationHubs?$skip=…&$top=…`.
    private func list() throws(HubFailure) -> Response {
        let skip = try number("$skip", least: 0) ?? 0
        let top = try number("$top", least: 1) ?? Self.mostEntries
        let hubs = environment.namespace.all.dropFirst(skip).prefix(min(top, Self.mostEntries))
        let feed = AtomFeed(
            title: "NotificationHubs", address: request.address, updated: environment.now(),
            entries: hubs.map(listed))
        return tracking.response(
            .ok, headers: ["Content-Type": AtomFeed.contentType], body: feed.xml)
    }

    /// Lists the hubs' names: `GET /` with a token.
    private func publicList() -> Response {
        publicList(of: environment.namespace.all.map(\.name))
    }

    private func publicList(of names: [String]) -> Response {
        let listing = PublicListing(
            id: GUID.make(environment.random), updated: environment.now(),
            hubs: names.map { ($0, request.address(ofHub: $0)) })
        return tracking.response(
            .ok, headers: ["Content-Type": AtomFeed.contentType], body: listing.xml)
    }

    private func listed(_ hub: HubStore) -> AtomEntry {
        let (description, usage) = hub.update { ($0.description, $0.usage) }
        let address = request.address([hub.name])
        let query = address.drop { $0 != "?" }
        return AtomEntry(
            address: address, title: hub.name, updated: description.updated,
            published: description.created, author: author,
            listing: (base: request.address, link: "../\(hub.name)\(query)"),
            content: description.xml(usage: usage))
    }

    private func number(_ name: String, least: Int) throws(HubFailure) -> Int? {
        guard let text = request.target.query[name] else { return nil }
        guard let number = Int(text), number >= least else {
            throw .badRequest("\(name) must be a whole number of at least \(least).")
        }
        return number
    }
}

enum EntityOperation: Equatable {
    case read
    case put
    case delete
    case list
    case publicList

    /// The operation for a path that belongs to no hub; nil if the path belongs to a hub or to the
    /// inbox page.
    init?(listing request: HubRequest) throws(HubFailure) {
        let path = request.target.segments
        if path.count == 2, path[0].lowercased() == "$resources",
            path[1].lowercased() == "notificationhubs"
        {
            guard request.method == .get else { throw .methodNotAllowed("GET") }
            self = .list
        } else if PublicListing.isAsked(for: request) {
            self = .publicList
        } else {
            return nil
        }
    }
}

/// The list of hub names, which the service returns for the namespace and for an unknown hub.
struct PublicListing {
    /// The prefix of the ids in the list.
    let id: String
    let updated: Date
    let hubs: [(name: String, address: String)]

    /// Whether a request is for the list: it has a token, which a browser does not send when it
    /// opens the inbox page.
    static func isAsked(for request: HubRequest) -> Bool {
        request.target.segments.isEmpty && request.method == .get
            && request.headers["authorization"] != nil
    }

    var xml: String {
        let updated = XMLText.element("updated", ServiceTime.seconds(updated))
        let entries = hubs.enumerated().map { index, hub in
            "<entry>\(id(index + 2))<title type=\"text\">\(XMLText.escaped(hub.name))</title>"
                + "\(updated)<link rel=\"alternate\" href=\"\(XMLText.attribute(hub.address))\"/>"
                + "</entry>"
        }
        return "<feed xmlns=\"\(ServiceNamespace.atom)\"><title type=\"text\">Publicly Listed "
            + "Services</title><subtitle type=\"text\">This is the list of publicly-listed "
            + "services currently available.</subtitle>\(id(1))\(updated)<generator>Service Bus "
            + "1.1</generator>"
            + entries.joined() + "</feed>"
    }

    private func id(_ number: Int) -> String {
        XMLText.element("id", "uuid:\(id);id=\(number)")
    }
}
