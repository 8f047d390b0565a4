import Hummingbird

/// Lists of the namespace's hubs.
extension EntityExchange {
    /// The most, and the usual, number of hubs of a list.
    private static let mostEntries = 100

    /// Lists the hubs with their descriptions: `GET /$Resources/NotificationHubs?$skip=…&$top=…`.
    ///
    /// - Throws: a 400 when `$skip` or `$top` is no number.
    func list() throws(HubFailure) -> Response {
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
    func publicList() -> Response {
        publicList(of: environment.namespace.all.map(\.name))
    }

    /// The list of some hubs' names.
    func publicList(of names: [String]) -> Response {
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
            place: (base: request.address, link: "../\(hub.name)\(query)"),
            content: description.xml(usage: usage))
    }

    private func number(_ name: String, least: Int) throws(HubFailure) -> Int? {
        guard let text = request.target.query[name] else { return nil }
        guard let number = Int(text), number >= least else {
            throw .badRequest("\(name) is not a whole number of \(least) or more.")
        }
        return number
    }
}
