import HTTPServing
import HTTPTypes
import Hummingbird

/// A request below `/.hubsend`; there is one method per kind of request.
struct InspectionExchange {
    let request: HubRequest
    let hub: HubStore
    let environment: HubEnvironment

    private var query: InspectionQuery { InspectionQuery(parameters: request.target.query) }

    /// A copy of the hub's current state, which can be searched without holding the lock, so that
    /// sends are not delayed.
    ///
    /// A send during a search first copies the data that it changes, which takes a few milliseconds
    /// in a full hub.
    private var snapshot: HubState { hub.update { $0 } }

    /// Lists the received messages, newest first: `GET /.hubsend/messages`.
    func messages() throws(HubFailure) -> Response {
        let query = try MessageQuery(query, in: hub)
        return try InspectionResponse.json(MessageSearch(query, in: snapshot).page())
    }

    /// Shows a message with the request that sent it: `GET /.hubsend/messages/N`.
    func message(_ text: String) throws(HubFailure) -> Response {
        let sequence = try InspectionQuery.sequence(text, "The last part of the path")
        let found = hub.update { state in
            state.message(sequence).map { message in
                (message, state.notifications[message.kept.push.notificationID])
            }
        }
        guard let (message, notification) = found else { throw .unknownMessage }
        return try InspectionResponse.json(
            MessageDetails(message, of: notification))
    }

    /// Waits for the oldest message after a sequence number: `GET
    /// /.hubsend/messages/next?user=&platform=&after=&timeout=`.
    func nextMessage() throws(HubFailure) -> HubAnswer {
        let timeout = try query.timeout()
        var wanted = MessageQuery()
        wanted.user = try query.user()
        wanted.platform = try query.platform()
        wanted.after = try query.after(in: hub) ?? 0
        if let message = NextMessage.find(wanted, in: hub) {
            return .response(try InspectionResponse.json(MessageReport(message)))
        }
        return .waiting(try NextMessage(wanted, in: hub, timeout: timeout, environment))
    }

    private struct Report: Encodable {
        let cleared: Int
    }

    /// Clears the messages of all devices or of a user: `DELETE /.hubsend/messages?user=`.
    ///
    /// Devices and telemetry are not changed, and the sequence numbers continue.
    func clearMessages() throws(HubFailure) -> Response {
        let user = try query.user()
        let cleared = hub.update { state in
            let cleared =
                if let user {
                    state.addresses(of: .user(user)).reduce(0) { $0 + state.devices.clear($1) }
                } else {
                    state.devices.clear()
                }
            state.counts.cleared += cleared
            return cleared
        }
        return try InspectionResponse.json(Report(cleared: cleared))
    }

    /// Fetches a payload of a message as the app would: `POST /.hubsend/messages/N/payloads/ID`.
    ///
    /// This is not a GET request, because the backend records the payload as fetched.
    func payload(_ id: String, ofMessage text: String) throws(HubFailure) -> HubAnswer {
        let sequence = try InspectionQuery.sequence(text, "The second part of the path")
        guard let message = hub.update({ $0.message(sequence) }) else { throw .unknownMessage }
        let ids = MessageAppearance(of: message.kept.push).ids
        guard ids.contains(where: { $0.value == id }) else { throw .notNamed }
        guard let backend = environment.payloads else { throw .noBackend }
        return .fetching(try PayloadFetch(id, from: backend, environment))
    }

    /// Lists the newest sends, newest first: `GET /.hubsend/sends`.
    func sends() throws(HubFailure) -> Response {
        try InspectionResponse.json(SendPage(try SendQuery(query), of: snapshot))
    }

    /// Shows a send with its outcome on each device: `GET /.hubsend/sends/ID?limit=&from=`.
    func send(_ id: String) throws(HubFailure) -> Response {
        let (from, limit) = (try query.from(), try query.limit())
        let snapshot = snapshot
        guard let record = snapshot.notifications[id], record.sent != nil else {
            throw .unknownSend
        }
        return try InspectionResponse.json(
            SendDetails(record, from: from, limit: limit, in: snapshot))
    }

    /// Lists the devices, oldest first: `GET /.hubsend/devices?search=&limit=&from=`.
    func devices() throws(HubFailure) -> Response {
        try InspectionResponse.json(
            DevicePage(
                search: try query.text("search"), from: try query.from(),
                limit: try query.limit(), in: snapshot))
    }

    /// Lists the pushes to some devices: `GET /.hubsend/devices/{user}`, `installations/{id}` or
    /// `registrations/{id}`.
    ///
    /// The newest pushes come first, up to 100 per device. With `?after=N`, the list contains the
    /// oldest pushes after the sequence number N, up to 100 in all; with `?after=now`, only future
    /// pushes.
    func pushes(to devices: InspectedDevices) throws(HubFailure) -> Response {
        try InspectionResponse.json(
            InspectionReport(of: devices, after: try query.after(in: hub), in: snapshot))
    }

    /// Streams the pushes to some devices, at the path of the devices followed by `/events`.
    func events(about devices: InspectedDevices) throws(HubFailure) -> PushEvents {
        let after = try query.after(in: hub)
        // A client that reconnects uses its first address again and reports the last event it
        // received.
        let last = try request.headers["last-event-id"].map { text throws(HubFailure) in
            try InspectionQuery.sequence(text, "Last-Event-ID")
        }
        return try PushEvents(of: devices, after: last ?? after ?? 0, in: hub, environment)
    }

    /// Streams the state of the hub whenever something changes: `GET /.hubsend/changes`.
    func changes() throws(HubFailure) -> ChangeEvents {
        try ChangeEvents(of: hub, environment)
    }
}

extension HubFailure {
    fileprivate static let unknownMessage = HubFailure(
        status: .notFound,
        detail: "There is no message with this number, or the hub no longer has it; "
            + "/.hubsend/messages lists the messages that it has.")

    fileprivate static let notNamed = HubFailure(
        status: .notFound, detail: "The message does not refer to a payload with this id.")

    fileprivate static let noBackend = HubFailure(
        status: .notFound,
        detail: "The hub has no app backend; start it with --backend URL --user NAME.")

    fileprivate static let unknownSend = HubFailure(
        status: .notFound,
        detail: "There is no send with this id, or the hub no longer has it; /.hubsend/sends "
            + "lists the newest.")
}
