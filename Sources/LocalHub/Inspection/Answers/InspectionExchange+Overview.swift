import Hummingbird

extension InspectionExchange {
    /// How the hub is: `GET /.hubsend`.
    ///
    /// - Returns: ``HubOverview``.
    func overview() throws(HubFailure) -> Response {
        try InspectionResponse.json(HubOverview(of: hub, environment))
    }
}
