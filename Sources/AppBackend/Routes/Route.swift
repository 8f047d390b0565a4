import CampaignCore
import HTTPServing
import HTTPTypes
import HummingbirdCore

/// The route of a request, determined by method and path; ids are as the client wrote them.
enum Route: Hashable {
    case health
    case readiness
    case issueRegistration
    case register(String)
    case unregister(String)
    case list
    case send
    case fetch(String)
    case markRead(String)

    /// Finds the route; fixed path segments match case-insensitively, as in the tutorials' backend.
    init(_ method: HTTPRequest.Method, _ segments: [String]) throws(BackendFailure) {
        let choices = Self.choices(segments)
        guard !choices.isEmpty else { throw .unknownPath }
        guard let choice = choices.first(where: { $0.method == method }) else {
            throw .methodNotAllowed(
                allowed: choices.map(\.method.rawValue).joined(separator: ", "))
        }
        self = choice.route
    }

    private static func choices(
        _ segments: [String]
    ) -> [(method: HTTPRequest.Method, route: Route)] {
        func word(_ index: Int) -> String {
            segments.indices.contains(index) ? segments[index].lowercased() : ""
        }
        switch (word(0), word(1), segments.count) {
        case ("health", _, 1): return [(.get, .health), (.head, .health)]
        case ("ready", _, 1): return [(.get, .readiness), (.head, .readiness)]
        case ("api", "register", 2): return [(.post, .issueRegistration)]
        case ("api", "register", 3):
            return [(.put, .register(segments[2])), (.delete, .unregister(segments[2]))]
        case ("api", "notifications", 2):
            return [(.get, .list), (.head, .list), (.post, .send)]
        case ("api", "notifications", 3):
            return [(.get, .fetch(segments[2])), (.head, .fetch(segments[2]))]
        case ("api", "notifications", 4) where word(3) == "read":
            return [(.put, .markRead(segments[2]))]
        default: return []
        }
    }

    /// Whether the request waits for the hub, which may take a long time.
    var callsHub: Bool {
        switch self {
        case .health, .readiness, .list, .fetch, .markRead: false
        case .issueRegistration, .register, .unregister, .send: true
        }
    }
}

extension Route {
    private static let longestSubject = 128

    func action(for request: Request, _ query: QueryParameters) -> AuditEntry.Action {
        switch self {
        case .health, .readiness: .request
        case .issueRegistration, .register: .register
        case .unregister: .unregister
        case .list: .list
        case .send: .send
        case .fetch: request.method == .head || query["as"] != nil ? .list : .fetch
        case .markRead: .read
        }
    }

    /// The id in the path, if valid; the audit must not contain other text from clients.
    var subject: String? {
        switch self {
        case .health, .readiness, .issueRegistration, .list, .send:
            nil
        case .fetch(let id), .markRead(let id):
            NotificationID(id)?.text
        case .register(let id), .unregister(let id):
            id.utf8.count <= Self.longestSubject && id.utf8.allSatisfy(Self.isPlain) ? id : nil
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || "-_.".utf8.contains(byte)
    }
}

extension RequestTarget {
    private static let longest = 8_192
    /// This is far more than any request needs.
    private static let mostParameters = 16

    /// Parses the request target in origin form, or in absolute form as for proxies.
    ///
    /// - Throws: if it is too long or malformed, has too many query parameters, or repeats one.
    init(_ text: String) throws(BackendFailure) {
        guard text.utf8.count <= Self.longest else { throw .targetTooLong(limit: Self.longest) }
        do throws(RequestTarget.Failure) {
            try self.init(text, plusIsSpace: false)
        } catch {
            switch error {
            case .malformedPath:
                throw .malformed(
                    reason: "The address is malformed; write a percent-encoded path that "
                        + "begins with /.")
            case .malformedQuery:
                throw .malformed(
                    reason: "The query of the address is malformed; percent-encode it.")
            }
        }
        guard query.count <= Self.mostParameters else {
            throw .malformed(
                reason: "The query of the address has more than \(Self.mostParameters) parameters.")
        }
        if let name = query.repeatedName {
            throw .malformed(reason: "The parameter \(ClientText.quoted(name)) is given twice.")
        }
    }
}

/// Checks the host of a request, which must be specified exactly once (RFC 9112, section 3.2).
enum RequestHost {
    private static let field = HTTPField.Name("Host")

    /// Throws unless the request specifies exactly one valid host.
    ///
    /// - Parameter head: the first `Host` field is its authority; any further ones remain among the
    ///   fields.
    static func check(_ head: HTTPRequest) throws(BackendFailure) {
        let hasMore = field.map { head.headerFields.contains($0) } ?? false
        guard let host = head.authority, !hasMore, WebOrigin.authority(host[...]) != nil else {
            throw .malformed(
                reason: "The Host field is missing, repeated or malformed; send exactly one, "
                    + "with the host and the port if there is one.")
        }
    }
}
