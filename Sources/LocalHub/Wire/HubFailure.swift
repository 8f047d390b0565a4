import HTTPTypes

/// Why the hub refuses a request: a status, and what the error body says.
struct HubFailure: Error, Equatable {
    /// The status of the answer.
    let status: HTTPResponse.Status
    /// The text before the tracking id in the error body; nil: no body at all.
    let detail: String?
    /// Further headers of the answer.
    var headers: [String: String] = [:]
}

extension HubFailure {
    /// A request that is wrong in itself.
    static func badRequest(_ detail: String) -> HubFailure {
        HubFailure(status: .badRequest, detail: detail)
    }

    /// The target of the request cannot be read.
    static let malformedTarget = badRequest("The request address is malformed.")

    /// The `Host` header is missing, doubled or no host.
    static let malformedHost = badRequest("The Host header is missing or malformed.")

    /// A token that opens nothing.
    static func unauthorized(_ failure: AuthorizationFailure) -> HubFailure {
        HubFailure(status: .unauthorized, detail: failure.detail)
    }

    /// The token is good, but its rule lacks the claim; recorded with an empty body.
    static let missingClaim = HubFailure(status: .forbidden, detail: nil)

    /// The path names another hub than this one (recorded text).
    static let unknownHub = HubFailure(
        status: .notFound, detail: "No service is hosted at the specified address.")

    /// There is a hub of that name already (recorded text).
    static let hubExists = HubFailure(status: .conflict, detail: "SubCode=40900. Conflict")

    /// The namespace has as many hubs as it can.
    static let tooManyHubs = HubFailure(
        status: .forbidden, detail: "The local hub keeps no more hubs; delete one.")

    /// The hub has nothing at this path.
    static let unknownPath = HubFailure(status: .notFound, detail: "")

    /// There is no installation of that id (recorded text).
    static let installationNotFound = HubFailure(
        status: .notFound, detail: "Installation not found")

    /// The version in `If-Match` is not the registration's.
    static let preconditionFailed = HubFailure(
        status: .preconditionFailed,
        detail: "The registration has changed; read it again and repeat the change.")

    /// The path is known, the method is not.
    static func methodNotAllowed(_ allowed: String) -> HubFailure {
        HubFailure(
            status: .methodNotAllowed, detail: "The method is not allowed here; use \(allowed).",
            headers: ["Allow": allowed])
    }

    /// The body is over the hub's limit.
    static func bodyTooLarge(limit: Int) -> HubFailure {
        HubFailure(
            status: .contentTooLarge, detail: "The request body is larger than \(limit) bytes.",
            headers: ["Connection": "close"])
    }

    /// The hub keeps as many devices as it can.
    static let tooManyDevices = HubFailure(
        status: .forbidden, detail: "The local hub keeps no more devices; start it afresh.")
}
