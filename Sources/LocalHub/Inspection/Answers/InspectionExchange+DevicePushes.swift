import Hummingbird

extension InspectionExchange {
    /// What some devices received: `GET /.hubsend/devices/{user}`, `installations/{id}` or `registrations/{id}`.
    ///
    /// The answer is `{"user":…,"devices":[{"registration","installation","platform","handle","tags","count",
    /// "pushes"}]}`, and a push is `{"sequence","notification","time","outcome","reason","headers","body"}`, the
    /// newest first, at most 100 of a device. With `?after=N` these are the oldest behind the sequence N, at most
    /// 100 in all, and `?after=now` those to come.
    ///
    /// - Parameter devices: which devices.
    /// - Returns: ``InspectionReport``.
    /// - Throws: a 400 for a sequence that is none.
    func pushes(to devices: InspectedDevices) throws(HubFailure) -> Response {
        try InspectionResponse.json(
            InspectionReport(of: devices, after: try query.after(in: hub), in: hub))
    }
}
