import Hummingbird

extension InspectionExchange {
    /// Waits for the oldest message behind a number: `GET /.hubsend/messages/next?user=&after=&timeout=`.
    ///
    /// - Returns: the message at once when there is one, or a wait for it.
    /// - Throws: a 400 for a wrong value of the query, a 503 when as many wait as can.
    func nextMessage() throws(HubFailure) -> HubAnswer {
        let timeout = try WaitTime.read(query.parameters["timeout"])
        let wanted = WantedMessage(
            user: try query.user(), after: try query.after(in: hub) ?? 0, hub: hub)
        if let message = wanted.find() {
            return .response(try InspectionResponse.json(MessageReport(message)))
        }
        return .waiting(try NextMessage(wanted, timeout: timeout, environment))
    }
}
