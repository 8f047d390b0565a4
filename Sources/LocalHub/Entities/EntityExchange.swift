import HTTPTypes
import Hummingbird

/// One authorised request about a hub itself, which may not exist (reference, section 0).
struct EntityExchange {
    /// The request.
    let request: HubRequest
    /// The ids of the request.
    let tracking: RequestTracking
    /// The hub's name in the path.
    let name: String
    /// What all hubs share.
    let environment: HubEnvironment

    /// Does what is asked.
    ///
    /// - Parameter operation: what is asked.
    /// - Returns: the answer.
    /// - Throws: why it is refused.
    func answer(_ operation: EntityOperation) throws(HubFailure) -> Response {
        switch operation {
        case .read: read()
        case .put: try put()
        case .delete: try delete()
        }
    }

    /// Reads a hub's description: `GET /{hub}`.
    ///
    /// Recorded: a hub that does not exist is a feed without entries, not a 404.
    private func read() -> Response {
        guard let hub = environment.namespace.hub(named: name) else {
            let feed = AtomFeed(
                title: "Publicly Listed Services", address: address(name),
                updated: environment.now(), entries: [])
            return tracking.response(
                .ok, headers: ["Content-Type": AtomFeed.contentType], body: feed.xml)
        }
        return entry(hub, .ok)
    }

    /// Creates a hub, or changes its description with `If-Match`: `PUT /{hub}`.
    ///
    /// - Throws: a 409 for a hub that exists when there is no `If-Match`, a 404 for one that does not
    ///   when there is; a 400 for a body or a name that cannot be, a 403 for a hub too many.
    private func put() throws(HubFailure) -> Response {
        let description = try HubDescription(request.body, at: environment.now())
        if request.headers["if-match"] != nil {
            guard let hub = environment.namespace.hub(named: name) else { throw .unknownHub }
            hub.update { state in
                state.description.properties = description.properties
                state.description.updated = description.updated
            }
            return entry(hub, .ok)
        }
        guard HubName.isValid(name) else {
            throw .badRequest(
                "The hub's name \(ClientText.quoted(name)) is not letters, digits and . - _ with a "
                    + "letter or digit first.")
        }
        return entry(
            try environment.namespace.createHub(named: name, description: description), .created)
    }

    /// Deletes a hub with all that it knows: `DELETE /{hub}`.
    ///
    /// - Throws: a 404 for a hub that does not exist.
    private func delete() throws(HubFailure) -> Response {
        guard environment.namespace.removeHub(named: name) else { throw .unknownHub }
        return tracking.response(.ok)
    }

    private func entry(_ hub: HubStore, _ status: HTTPResponse.Status) -> Response {
        let description = hub.update { $0.description }
        let entry = AtomEntry(
            address: address(hub.name), title: hub.name, updated: description.updated,
            published: description.created, content: description.xml)
        return tracking.response(
            status, headers: ["Content-Type": AtomEntry.contentType], body: entry.xml)
    }

    private func address(_ name: String) -> String {
        request.address([name])
    }
}
