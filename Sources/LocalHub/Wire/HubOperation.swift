import HTTPServing
import HTTPTypes

/// The operation that a client requests, either in a hub or on the hub itself.
enum HubOperation: Equatable {
    /// A native or template send to tags or to all devices.
    case send
    case directSend
    case batchSend
    /// A send whose response contains the outcome.
    case testSend
    case scheduleSend
    case cancelScheduledSend(id: String)
    case telemetry(id: String)
    case feedbackContainer
    /// The creation of a registration id, to be used later.
    case createRegistrationID
    /// The creation of a registration whose id the hub chooses.
    case createRegistration
    case putRegistration(id: String)
    case registration(id: String)
    case deleteRegistration(id: String)
    case registrations
    case registrationsByChannel(filter: String)
    case registrationsByTag(String)
    case putInstallation(id: String)
    case patchInstallation(id: String)
    case installation(id: String)
    case deleteInstallation(id: String)
    /// An operation on a hub itself, which may not exist.
    case entity(EntityOperation)
    case createJob
    case job(id: String)
    case jobs

    var claim: LocalHubClaim {
        switch self {
        case .send, .directSend, .batchSend, .testSend, .scheduleSend, .cancelScheduledSend,
            .telemetry:
            .send
        case .createRegistrationID, .createRegistration, .putRegistration, .registration,
            .deleteRegistration, .registrationsByChannel, .putInstallation, .patchInstallation,
            .installation,
            .deleteInstallation:
            .listen
        case .registrations, .registrationsByTag, .feedbackContainer, .entity, .createJob, .job,
            .jobs:
            .manage
        }
    }

    /// Determines the operation from the decoded path segments after the hub's name.
    ///
    /// Keywords are case-insensitive, and a trailing slash is ignored. Throws a 404 for an unknown
    /// path, or a 405 for a wrong method.
    init(
        method: HTTPRequest.Method, path: ArraySlice<String>, query: QueryParameters
    ) throws(HubFailure) {
        let choices = try Self.choices(path, query)
        guard let choice = choices.first(where: { $0.0 == method }) else {
            throw .methodNotAllowed(choices.map(\.0.rawValue).joined(separator: ", "))
        }
        self = choice.1
    }

    private static func choices(
        _ path: ArraySlice<String>, _ query: QueryParameters
    ) throws(HubFailure) -> [(HTTPRequest.Method, HubOperation)] {
        let rest = path.dropFirst()
        let id = rest.first ?? ""
        switch (path.first?.lowercased(), rest.count) {
        case (nil, _):
            return [
                (.get, .entity(.read)), (.put, .entity(.put)), (.delete, .entity(.delete)),
            ]
        case ("messages", 0):
            return [(.post, send(query))]
        case ("messages", 1) where id.lowercased() == "$batch":
            return [(.post, .batchSend)]
        case ("messages", 1):
            return [(.get, .telemetry(id: id))]
        case ("schedulednotifications", 0):
            return [(.post, .scheduleSend)]
        case ("schedulednotifications", 1):
            return [(.delete, .cancelScheduledSend(id: id))]
        case ("feedbackcontainer", 0):
            return [(.get, .feedbackContainer)]
        case ("registrationids", 0):
            return [(.post, .createRegistrationID)]
        case ("registrations", 0):
            let listing = query["$filter"].map { registrationsByChannel(filter: $0) }
            return [(.get, listing ?? .registrations), (.post, .createRegistration)]
        case ("registrations", 1):
            return [
                (.get, .registration(id: id)), (.put, .putRegistration(id: id)),
                (.delete, .deleteRegistration(id: id)),
            ]
        case ("tags", 2) where rest.last?.lowercased() == "registrations":
            return [(.get, .registrationsByTag(id))]
        case ("installations", 1):
            return [
                (.get, .installation(id: id)), (.put, .putInstallation(id: id)),
                (.patch, .patchInstallation(id: id)), (.delete, .deleteInstallation(id: id)),
            ]
        case ("jobs", 0):
            return [(.get, .jobs), (.post, .createJob)]
        case ("jobs", 1):
            return [(.get, .job(id: id))]
        default:
            throw .unknownPath
        }
    }

    private static func send(_ query: QueryParameters) -> HubOperation {
        // The .NET SDK also adds the flag to direct sends, and then reads the outcome.
        if query.hasFlag("test") { return .testSend }
        return query.hasFlag("direct") ? .directSend : .send
    }
}

extension QueryParameters {
    /// Whether a flag is present with any value except `false`, or without a value; `name` is in
    /// lower case.
    func hasFlag(_ name: String) -> Bool {
        self[name].map { $0.lowercased() != "false" } ?? false
    }
}
