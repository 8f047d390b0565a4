import Hummingbird

extension InspectionExchange {
    /// The devices, in the order in which the hub came to know them: `GET /.hubsend/devices?search=&limit=&from=`.
    ///
    /// - Returns: ``DevicePage``.
    /// - Throws: a 400 for a wrong value of the query.
    func devices() throws(HubFailure) -> Response {
        var listing = DeviceListing(
            search: try query.search(), from: try query.from(), limit: try query.limit(), in: hub)
        return try InspectionResponse.json(listing.page())
    }
}
