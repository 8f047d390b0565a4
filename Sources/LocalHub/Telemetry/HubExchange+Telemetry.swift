import Hummingbird

extension HubExchange {
    /// The telemetry of a notification: `GET /{hub}/messages/{id}`.
    func telemetry(id: String) throws(HubFailure) -> Response {
        let now = environment.now()
        let found = hub.update { state -> (NotificationRecord, NotificationDetails?)? in
            if let waiting = state.scheduled[id] { return (waiting.record(sent: nil), .scheduled) }
            return state.notifications[id].map { record in
                (
                    record,
                    NotificationDetails(of: record, at: now, delay: environment.telemetryDelay)
                )
            }
        }
        guard let (record, details) = found else { throw .unknownNotification }
        guard let details else { throw .notProgressed }
        let document = NotificationDetailsDocument(
            record: record, details: details, location: telemetryAddress(id))
        return response(.ok, body: document.xml)
    }

    /// The address with the scheme that the documentation shows for telemetry.
    private func telemetryAddress(_ id: String) -> String {
        "sb" + request.address([hub.name, "messages", id]).dropFirst(request.scheme.count)
    }

    /// The address for reading feedback: `GET /{hub}/feedbackcontainer`; the real hub returns the
    /// address of a storage container.
    func feedbackContainer() -> Response {
        response(
            .ok, headers: ["Content-Type": "text/plain; charset=utf-8"],
            body: "\(request.scheme)://\(request.authority.text)" + FeedbackPage.path(of: hub.name))
    }
}

extension HubFailure {
    fileprivate static let unknownNotification = HubFailure(
        status: .notFound, detail: "The notification is unknown, or the hub no longer has it.")

    /// The documentation tells clients to try again after ten seconds.
    fileprivate static let notProgressed = HubFailure(
        status: .notFound, detail: "The notification has not been processed yet; try again later.")
}
