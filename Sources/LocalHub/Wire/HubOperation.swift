import HTTPServing
import HTTPTypes

/// What a request asks of one hub, or of the namespace about a hub (reference, section 0).
enum HubOperation: Equatable {
    /// A send by tags or to all, native or template.
    case send
    /// A send to one device's handle.
    case directSend
    /// A send to many devices' handles.
    case batchSend
    /// A send whose outcome is the answer.
    case testSend
    /// A send that happens later.
    case scheduleSend
    /// Take a scheduled send back.
    case cancelScheduledSend(id: String)
    /// What became of a send.
    case telemetry(id: String)
    /// Where the feedback of push services is kept.
    case feedbackContainer
    /// A registration id to use later.
    case createRegistrationID
    /// A registration whose id the hub picks.
    case createRegistration
    /// Create, replace or update the registration of an id.
    case putRegistration(id: String)
    /// Read a registration.
    case registration(id: String)
    /// Delete a registration.
    case deleteRegistration(id: String)
    /// List all registrations.
    case registrations
    /// List the registrations of a channel.
    case registrationsByChannel(filter: String)
    /// List the registrations that carry a tag.
    case registrationsByTag(String)
    /// Create or replace an installation.
    case putInstallation(id: String)
    /// Change a part of an installation.
    case patchInstallation(id: String)
    /// Read an installation.
    case installation(id: String)
    /// Delete an installation.
    case deleteInstallation(id: String)
    /// What is asked about the hub itself, which need not exist.
    case entity(EntityOperation)
    /// An import or export of registrations.
    case createJob
    /// How far a job has come.
    case job(id: String)
    /// List all jobs.
    case jobs

    /// The right that the operation needs (reference, section 2).
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

    /// Finds the operation of a request.
    ///
    /// Keywords compare without case, and a trailing slash does not matter (reference, section 12).
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - path: the decoded segments behind the hub's name.
    ///   - query: the query.
    /// - Throws: a 404 for an unknown path, a 405 for a method that the path does not take.
    init(
        method: HTTPRequest.Method, path: ArraySlice<String>, query: QueryParameters
    ) throws(HubFailure) {
        let choices = try Self.choices(path, query)
        guard let choice = choices.first(where: { $0.0 == method }) else {
            throw .methodNotAllowed(choices.map(\.0.rawValue).joined(separator: ", "))
        }
        self = choice.1
    }

    /// The operations at a path, by method.
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
        // .NET adds the flag to direct sends as well, and then reads the outcome.
        if query.hasFlag("test") { return .testSend }
        return query.hasFlag("direct") ? .directSend : .send
    }
}

extension QueryParameters {
    /// Whether a flag is set: it stands there bare, empty, or with anything but `false`.
    ///
    /// - Parameter name: the flag's name in lower case.
    func hasFlag(_ name: String) -> Bool {
        self[name].map { $0.lowercased() != "false" } ?? false
    }
}
