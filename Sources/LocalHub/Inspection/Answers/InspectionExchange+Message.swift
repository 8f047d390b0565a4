import Hummingbird

extension InspectionExchange {
    /// One message with the request that brought it: `GET /.hubsend/messages/N`.
    ///
    /// - Parameter text: the message's number.
    /// - Returns: ``MessageDetails``.
    /// - Throws: a 404 when the hub keeps none of that number, a 400 when it is no number.
    func message(_ text: String) throws(HubFailure) -> Response {
        let sequence = try InspectionQuery.sequence(text, "The last part of the path")
        let found = hub.update { state in
            state.message(sequence).map { message in
                (message, state.notifications[message.entry.push.notificationID])
            }
        }
        guard let (message, notification) = found else { throw .unknownMessage }
        return try InspectionResponse.json(
            MessageDetails(message: message, notification: notification))
    }
}

extension HubFailure {
    /// The hub keeps no message of this number.
    static let unknownMessage = HubFailure(
        status: .notFound,
        detail: "There is no message of this number, or it is no longer kept; /.hubsend/messages "
            + "lists those that are.")
}
