extension InspectionExchange {
    /// How the hub is, told whenever something changes: `GET /.hubsend/changes`.
    ///
    /// - Returns: the stream.
    /// - Throws: a 503 when there are as many streams as can be.
    func changes() throws(HubFailure) -> ChangeEvents {
        try ChangeEvents(of: hub, environment)
    }
}
