import HTTPTypes

/// What a request asks of the hub.
enum HubOperation: Equatable {
    /// A native send by tags, or to all.
    case send
    /// Create or replace an installation.
    case putInstallation(id: String)
    /// An operation of the real hub that this one does not do yet.
    case notYet(String)

    /// The right that the operation needs; nil: a good token is enough to hear that there is no such thing.
    var claim: LocalHubClaim? {
        switch self {
        case .send: .send
        case .putInstallation: .listen
        case .notYet: nil
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
    /// - Throws: a 404 for an unknown path, a 405 for a method that the path does not have.
    init(
        method: HTTPRequest.Method, path: ArraySlice<String>, query: QueryParameters
    ) throws(HubFailure) {
        let keyword = path.first?.lowercased()
        let rest = path.dropFirst()
        switch (keyword, rest.count) {
        case ("messages", 0):
            self = try Self.send(method, query)
        case ("messages", 1) where rest.first?.lowercased() == "$batch":
            self = try Self.notYet("A batch send", method, allowed: .post)
        case ("messages", 1):
            self = try Self.notYet("Telemetry of a notification", method, allowed: .get)
        case ("installations", 1):
            self = try Self.installation(method, id: rest.first ?? "")
        case (nil, _):
            self = try Self.notYet("The hub entity", method, allowed: .get, .put, .delete)
        case ("registrations", 0):
            self = try Self.notYet(
                "Listing and creating registrations", method, allowed: .get, .post)
        case ("registrations", 1):
            self = try Self.notYet("A registration", method, allowed: .get, .put, .delete)
        case ("registrationids", 0):
            self = try Self.notYet("A registration id", method, allowed: .post)
        case ("tags", 2) where rest.last?.lowercased() == "registrations":
            self = try Self.notYet("Listing registrations by tag", method, allowed: .get)
        case ("schedulednotifications", 0):
            self = try Self.notYet("A scheduled send", method, allowed: .post)
        case ("schedulednotifications", 1):
            self = try Self.notYet("Cancelling a scheduled send", method, allowed: .delete)
        case ("feedbackcontainer", 0):
            self = try Self.notYet("The feedback container", method, allowed: .get)
        case ("jobs", 0), ("jobs", 1):
            self = try Self.notYet("Jobs", method, allowed: .get, .post)
        default:
            throw .unknownPath
        }
    }

    private static func send(
        _ method: HTTPRequest.Method, _ query: QueryParameters
    ) throws(HubFailure) -> HubOperation {
        guard method == .post else { throw .methodNotAllowed("POST") }
        if query.hasFlag("direct") { return .notYet("A direct send") }
        if query.hasFlag("test") { return .notYet("A test send") }
        return .send
    }

    private static func installation(
        _ method: HTTPRequest.Method, id: String
    ) throws(HubFailure) -> HubOperation {
        guard method != .put else { return .putInstallation(id: id) }
        return try notYet(
            "Reading, patching and deleting installations", method, allowed: .get, .patch, .delete)
    }

    private static func notYet(
        _ what: String, _ method: HTTPRequest.Method, allowed: HTTPRequest.Method...
    ) throws(HubFailure) -> HubOperation {
        guard allowed.contains(method) else {
            throw .methodNotAllowed(allowed.map(\.rawValue).joined(separator: ", "))
        }
        return .notYet(what)
    }
}
