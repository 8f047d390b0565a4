import Hummingbird

extension InspectionExchange {
    /// The newest requests that sent, newest first: `GET /.hubsend/sends` with `user=`, `registration=`, `find=`,
    /// `outcome=` and `limit=`.
    ///
    /// - Returns: ``SendPage``.
    /// - Throws: a 400 for a wrong value of the query.
    func sends() throws(HubFailure) -> Response {
        try InspectionResponse.json(SendPage(try SendQuery(query), of: hub))
    }

    /// One of them with what became of it at each device: `GET /.hubsend/sends/ID?limit=&from=`.
    ///
    /// - Parameter id: the id that the hub gave it.
    /// - Returns: ``SendDetails``.
    /// - Throws: a 404 when the hub knows none of that id, a 400 for a wrong value of the query.
    func send(_ id: String) throws(HubFailure) -> Response {
        let (from, limit) = (try query.from(), try query.limit())
        guard let record = hub.update({ $0.notifications[id] }), record.sent != nil else {
            throw .unknownSend
        }
        return try InspectionResponse.json(
            SendDetails(record, from: from, limit: limit, in: hub))
    }
}

extension HubFailure {
    /// The hub knows no send of this id.
    fileprivate static let unknownSend = HubFailure(
        status: .notFound,
        detail: "There is no send of this id, or it is no longer kept; /.hubsend/sends lists the "
            + "newest.")
}
