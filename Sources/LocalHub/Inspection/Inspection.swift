import HTTPServing
import Hummingbird

/// Answers requests below `/.hubsend`, which show or clear what devices received.
///
/// | Request | Response, each a method of ``InspectionExchange`` |
/// |---|---|
/// | `GET /.hubsend` | the state of the hub |
/// | `GET changes` | the same as a stream, whenever something changes |
/// | `GET messages` | what devices received, newest first |
/// | `GET messages/N` | one message with the request that sent it |
/// | `GET messages/next` | waits for a message |
/// | `DELETE messages` | clears the messages |
/// | `GET devices` | the devices |
/// | `GET devices/USER`, `installations/ID`, `registrations/ID` | what some devices received |
/// | the same with `/events` | the same as a stream |
/// | `GET sends` | the newest sends, including those that reached no device |
/// | `GET sends/ID` | one send with its outcome on each device |
/// | `POST messages/N/payloads/ID` | what the app would fetch |
///
/// `?hub=NAME` selects a hub; the default is the configured hub or, if it was deleted, the first
/// hub by name. ``InspectionAccess`` has already checked the request.
struct Inspection {
    let hubName: String
    let environment: HubEnvironment

    func answer(to request: HubRequest) throws(HubFailure) -> HubAnswer {
        let path = Array(request.target.segments.dropFirst())
        switch (path.first?.lowercased(), path.count) {
        case (nil, _):
            return .response(try overview(request))
        case ("changes", 1):
            return .events(try reading(request).changes())
        case ("messages", 1) where request.method == .delete:
            return .response(try exchange(request).clearMessages())
        case ("messages", 1):
            return .response(try reading(request, allowed: "GET, DELETE").messages())
        case ("messages", 2) where path[1].lowercased() == "next":
            return try reading(request).nextMessage()
        case ("messages", 2):
            return .response(try reading(request).message(path[1]))
        case ("messages", 4) where path[2].lowercased() == "payloads":
            guard request.method == .post else { throw .methodNotAllowed("POST") }
            return try exchange(request).payload(path[3], ofMessage: path[1])
        case ("devices", 1):
            return .response(try reading(request).devices())
        case ("sends", 1):
            return .response(try reading(request).sends())
        case ("sends", 2):
            return .response(try reading(request).send(path[1]))
        case (let kind?, 2):
            guard let devices = InspectedDevices(kind: kind, name: path[1]) else { break }
            return .response(try reading(request).pushes(to: devices))
        case (let kind?, 3) where path[2].lowercased() == "events":
            guard let devices = InspectedDevices(kind: kind, name: path[1]) else { break }
            return .events(try reading(request).events(about: devices))
        default:
            break
        }
        throw .nothingToInspect
    }

    /// Checks the method and finds the hub.
    private func reading(
        _ request: HubRequest, allowed: String = "GET"
    ) throws(HubFailure) -> InspectionExchange {
        guard request.method == .get else { throw .methodNotAllowed(allowed) }
        return try exchange(request)
    }

    private func exchange(_ request: HubRequest) throws(HubFailure) -> InspectionExchange {
        guard let hub = try hub(of: request) else { throw .noHubLeft }
        return InspectionExchange(request: request, hub: hub, environment: environment)
    }

    /// The state of the hub: `GET /.hubsend`, which works even if there is no hub.
    private func overview(_ request: HubRequest) throws(HubFailure) -> Response {
        guard request.method == .get else { throw .methodNotAllowed("GET") }
        return try InspectionResponse.json(HubOverview(of: try hub(of: request), environment))
    }

    /// The hub that a request selects; nil if it selects none and no hub exists.
    private func hub(of request: HubRequest) throws(HubFailure) -> HubStore? {
        guard let name = request.target.query["hub"] else {
            return environment.namespace.hub(named: hubName) ?? environment.namespace.all.first
        }
        guard let hub = environment.namespace.hub(named: name) else { throw .noHubToInspect }
        return hub
    }
}

extension HubFailure {
    fileprivate static let nothingToInspect = HubFailure(
        status: .notFound,
        detail:
            "This path does not exist; use /.hubsend/messages, /.hubsend/devices, /.hubsend/sends, "
            + "/.hubsend/devices/USER, /.hubsend/installations/ID or /.hubsend/registrations/ID. "
            + "Append /events to one of the last three for a stream.")

    fileprivate static let noHubToInspect = HubFailure(
        status: .notFound, detail: "There is no hub with that name; /.hubsend lists the names.")

    fileprivate static let noHubLeft = HubFailure(
        status: .notFound,
        detail:
            "All hubs were deleted. Create a hub with PUT /NAME, or restart the program.")
}

enum InspectionPath {
    /// The first path segment; it starts with a dot, unlike any hub name.
    static let root = ".hubsend"

    static func contains(_ segments: [some StringProtocol]) -> Bool {
        segments.first?.lowercased() == root
    }
}
