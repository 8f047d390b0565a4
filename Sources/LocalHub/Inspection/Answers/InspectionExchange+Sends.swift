import Hummingbird

extension InspectionExchange {
    /// The newest requests that sent, newest first: `GET /.hubsend/sends?limit=`.
    ///
    /// - Returns: ``SendPage``.
    /// - Throws: a 400 for a wrong limit.
    func sends() throws(HubFailure) -> Response {
        try InspectionResponse.json(SendPage(of: hub, limit: try query.limit()))
    }
}
