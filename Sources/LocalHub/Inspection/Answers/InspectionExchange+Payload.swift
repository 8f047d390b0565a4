import HTTPTypes

extension InspectionExchange {
    /// What the app would fetch for a message: `POST /.hubsend/messages/N/payloads/ID`.
    ///
    /// It is no GET, since the backend takes it for fetched.
    ///
    /// - Parameters:
    ///   - id: the id that the push names.
    ///   - text: the message's number.
    /// - Returns: the fetch.
    /// - Throws: a 404 when the hub keeps no such message, it names no such id, or no backend is known; a 400 when the
    ///   number is none; a 503 when as much is under way as can be.
    func payload(_ id: String, ofMessage text: String) throws(HubFailure) -> HubAnswer {
        let sequence = try InspectionQuery.sequence(text, "The second part of the path")
        guard let message = hub.update({ $0.message(sequence) }) else { throw .unknownMessage }
        let ids = MessageAppearance(of: message.entry.push).ids
        guard ids.contains(where: { $0.value == id }) else { throw .notNamed }
        guard let backend = environment.payloads else { throw .noBackend }
        return .fetching(try PayloadFetch(id, from: backend, environment))
    }
}

extension HubFailure {
    /// The message does not name the id, and nothing else is fetched.
    fileprivate static let notNamed = HubFailure(
        status: .notFound, detail: "The message names no payload of this id.")

    /// Whoever started the hub did not name a backend.
    fileprivate static let noBackend = HubFailure(
        status: .notFound,
        detail: "The hub knows no app backend; start it with --backend URL --user NAME.")
}
