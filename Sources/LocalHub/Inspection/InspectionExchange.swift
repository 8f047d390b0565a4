import HTTPServing
import HTTPTypes
import Hummingbird

/// One request below `/.hubsend`, and what its answer is made of.
///
/// Each answer is a method.
struct InspectionExchange {
    /// The request.
    let request: HubRequest
    /// The hub that is looked into.
    let hub: HubStore
    /// What all hubs share.
    let environment: HubEnvironment

    private var query: InspectionQuery { InspectionQuery(parameters: request.target.query) }

    /// The hub as it is now.
    ///
    /// It is searched without the lock, so that no send waits. It costs nothing unless a send changes the hub during the
    /// search: then that send first copies what it changes, which takes some milliseconds in a full hub.
    private var snapshot: HubState { hub.update { $0 } }

    /// What devices received, newest first: `GET /.hubsend/messages` with `user=`, `registration=`, `search=`,
    /// `find=`, `platform=`, `outcome=`, `before=`, `after=` and `limit=`.
    ///
    /// - Returns: ``MessagePage``.
    /// - Throws: a 400 for a wrong value of the query.
    func messages() throws(HubFailure) -> Response {
        let query = try MessageQuery(query, in: hub)
        return try InspectionResponse.json(MessageSearch(query, in: snapshot).page())
    }

    /// One message with the request that brought it: `GET /.hubsend/messages/N`.
    ///
    /// - Parameter text: the message's sequence.
    /// - Returns: ``MessageDetails``.
    /// - Throws: a 404 when the hub keeps no message of this sequence, a 400 when it is not a number.
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

    /// Waits for the oldest message after a sequence: `GET /.hubsend/messages/next?user=&platform=&after=&timeout=`.
    ///
    /// - Returns: the message at once when there is one, or a wait for it.
    /// - Throws: a 400 for a wrong value of the query, a 503 when too many wait already.
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

    /// The answer to a clearing.
    private struct Report: Encodable {
        /// How many messages were cleared.
        let cleared: Int
    }

    /// Clears the messages of all devices, or of a user's: `DELETE /.hubsend/messages?user=`.
    ///
    /// Devices and telemetry stay as they are, and the sequences go on.
    ///
    /// - Returns: how many messages were cleared.
    /// - Throws: a 400 for an empty user.
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

    /// What the app would fetch for a message: `POST /.hubsend/messages/N/payloads/ID`.
    ///
    /// It is not a GET, since the backend counts the payload as fetched.
    ///
    /// - Parameters:
    ///   - id: the id that the push names.
    ///   - text: the message's sequence.
    /// - Throws: a 404 when the hub does not keep the message, the message does not name the id, or no backend is
    ///   known; a 400 when the sequence is not a number; a 503 when too many fetches run already.
    func payload(_ id: String, ofMessage text: String) throws(HubFailure) -> HubAnswer {
        let sequence = try InspectionQuery.sequence(text, "The second part of the path")
        guard let message = hub.update({ $0.message(sequence) }) else { throw .unknownMessage }
        let ids = MessageAppearance(of: message.kept.push).ids
        guard ids.contains(where: { $0.value == id }) else { throw .notNamed }
        guard let backend = environment.payloads else { throw .noBackend }
        return .fetching(try PayloadFetch(id, from: backend, environment))
    }

    /// The newest requests that sent, newest first: `GET /.hubsend/sends` with `user=`, `registration=`, `find=`,
    /// `platform=`, `outcome=` and `limit=`.
    ///
    /// - Returns: ``SendPage``.
    /// - Throws: a 400 for a wrong value of the query.
    func sends() throws(HubFailure) -> Response {
        try InspectionResponse.json(SendPage(try SendQuery(query), of: snapshot))
    }

    /// One send with what became of it at each device: `GET /.hubsend/sends/ID?limit=&from=`.
    ///
    /// - Parameter id: the id that the hub gave it.
    /// - Returns: ``SendDetails``.
    /// - Throws: a 404 when the hub knows no send of this id, a 400 for a wrong value of the query.
    func send(_ id: String) throws(HubFailure) -> Response {
        let (from, limit) = (try query.from(), try query.limit())
        let snapshot = snapshot
        guard let record = snapshot.notifications[id], record.sent != nil else {
            throw .unknownSend
        }
        return try InspectionResponse.json(
            SendDetails(record, from: from, limit: limit, in: snapshot))
    }

    /// The devices, in the order in which the hub came to know them: `GET /.hubsend/devices?search=&limit=&from=`.
    ///
    /// - Returns: ``DevicePage``.
    /// - Throws: a 400 for a wrong value of the query.
    func devices() throws(HubFailure) -> Response {
        try InspectionResponse.json(
            DevicePage(
                search: try query.text("search"), from: try query.from(),
                limit: try query.limit(), in: snapshot))
    }

    /// What some devices received: `GET /.hubsend/devices/{user}`, `installations/{id}` or `registrations/{id}`.
    ///
    /// The answer is `{"user":…,"devices":[{"registration","installation","platform","handle","tags","count",
    /// "pushes"}]}`, and a push is `{"sequence","notification","time","outcome","reason","headers","body"}`, the
    /// newest first, at most 100 of a device. With `?after=N` these are the oldest behind the sequence N, at most
    /// 100 in all, and `?after=now` those to come.
    ///
    /// - Parameter devices: which devices.
    /// - Returns: ``InspectionReport``.
    /// - Throws: a 400 for a sequence that is not a number.
    func pushes(to devices: InspectedDevices) throws(HubFailure) -> Response {
        try InspectionResponse.json(
            InspectionReport(of: devices, after: try query.after(in: hub), in: snapshot))
    }

    /// What some devices receive, as a stream: their path with `/events` behind it.
    ///
    /// - Parameter devices: which devices.
    /// - Throws: a 400 for a sequence that is not a number, a 503 when there are too many streams.
    func events(about devices: InspectedDevices) throws(HubFailure) -> PushEvents {
        let after = try query.after(in: hub)
        // A client that lost its connection says how far it got, and repeats its first address.
        let last = try request.headers["last-event-id"].map { text throws(HubFailure) in
            try InspectionQuery.sequence(text, "Last-Event-ID")
        }
        return try PushEvents(of: devices, after: last ?? after ?? 0, in: hub, environment)
    }

    /// How the hub is, sent whenever something changes: `GET /.hubsend/changes`.
    ///
    /// - Throws: a 503 when there are too many streams.
    func changes() throws(HubFailure) -> ChangeEvents {
        try ChangeEvents(of: hub, environment)
    }
}

extension HubFailure {
    /// The hub keeps no message of this number.
    fileprivate static let unknownMessage = HubFailure(
        status: .notFound,
        detail: "There is no message of this number, or it is no longer kept; /.hubsend/messages "
            + "lists those that are.")

    /// The message does not name the id, and nothing else is fetched.
    fileprivate static let notNamed = HubFailure(
        status: .notFound, detail: "The message does not name a payload with this id.")

    /// The hub was started without a backend.
    fileprivate static let noBackend = HubFailure(
        status: .notFound,
        detail: "The hub knows no app backend; start it with --backend URL --user NAME.")

    /// The hub knows no send of this id.
    fileprivate static let unknownSend = HubFailure(
        status: .notFound,
        detail: "There is no send of this id, or it is no longer kept; /.hubsend/sends lists the "
            + "newest.")
}
