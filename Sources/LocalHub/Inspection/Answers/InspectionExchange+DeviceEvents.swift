extension InspectionExchange {
    /// What some devices receive, as a stream: their path with `/events` behind it.
    ///
    /// - Parameter devices: which devices.
    /// - Returns: the stream.
    /// - Throws: a 400 for a sequence that is none, a 503 when there are as many streams as can be.
    func events(about devices: InspectedDevices) throws(HubFailure) -> PushEvents {
        let after = try query.after(in: hub)
        // A client that lost its connection says how far it got, and repeats its first address.
        let last = try request.headers["last-event-id"].map { text throws(HubFailure) in
            try InspectionQuery.sequence(text, "Last-Event-ID")
        }
        return try PushEvents(of: devices, after: last ?? after ?? 0, in: hub, environment)
    }
}
