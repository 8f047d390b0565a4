import Hummingbird

extension InspectionExchange {
    /// What devices received, newest first: `GET /.hubsend/messages` with `user=`, `registration=`, `search=`,
    /// `outcome=`, `before=`, `after=` and `limit=`.
    ///
    /// - Returns: ``MessagePage``.
    /// - Throws: a 400 for a wrong value of the query.
    func messages() throws(HubFailure) -> Response {
        var search = MessageSearch(try MessageQuery(query, in: hub), in: hub)
        return try InspectionResponse.json(search.page())
    }
}
