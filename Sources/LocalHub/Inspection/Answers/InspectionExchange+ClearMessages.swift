import Hummingbird

extension InspectionExchange {
    /// The answer to a clearing.
    private struct Report: Encodable {
        /// How many messages went.
        let cleared: Int
    }

    /// Clears the mailboxes of all devices, or of a user's: `DELETE /.hubsend/messages?user=`.
    ///
    /// Devices, telemetry and the numbers of messages stay as they are. A message that comes in meanwhile is kept.
    ///
    /// - Returns: how many messages went.
    /// - Throws: a 400 for an empty user.
    func clearMessages() throws(HubFailure) -> Response {
        let clearing = MessageClearing(hub: hub)
        let cleared =
            if let user = try query.user() { clearing.clear(user: user) } else {
                clearing.clearAll()
            }
        return try InspectionResponse.json(Report(cleared: cleared))
    }
}
