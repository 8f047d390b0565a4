import HTTPTypes
import Hummingbird

/// One authorised request about a hub itself, which may not exist, or about which there are (reference, sections 0
/// and 13).
struct EntityExchange {
    /// The request.
    let request: HubRequest
    /// The ids of the request.
    let tracking: RequestTracking
    /// The hub's name in the path; empty when the path is no hub's.
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
        case .list: try list()
        case .publicList: publicList()
        case .put: try put()
        case .delete: try delete()
        }
    }

    /// Reads a hub's description: `GET /{hub}`.
    ///
    /// Recorded: a hub that does not exist is a feed without entries, not a 404.
    private func read() -> Response {
        guard let hub = environment.namespace.hub(named: name) else {
            return publicList(of: [])
        }
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
    /// - Throws: a 409 for a hub that exists when there is no `If-Match`, a 404 for one that does not
    ///   when there is; a 400 for a body or a name that cannot be, a 403 for a hub too many.
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
                "The hub's name \(ClientText.quoted(name)) is not letters, digits and . - _ with a "
                    + "letter or digit first.")
        }
        let description = try document.description(at: now, random: environment.random)
        let hub = try environment.namespace.createHub(named: name, description: description)
        return response(
            .created,
            AtomEntry(
                address: request.address, title: hub.name, updated: now, author: author,
                content: description.xml()))
    }

    /// Deletes a hub with all that it knows: `DELETE /{hub}`.
    ///
    /// - Throws: a 404 for a hub that does not exist.
    private func delete() throws(HubFailure) -> Response {
        guard environment.namespace.removeHub(named: name) else { throw .unknownHub }
        return tracking.response(.ok)
    }

    /// The namespace as entries name it: the host by which the client reached it.
    var author: String { request.authority.host }

    private func response(_ status: HTTPResponse.Status, _ entry: AtomEntry) -> Response {
        tracking.response(
            status, headers: ["Content-Type": AtomEntry.contentType], body: entry.xml)
    }
}
