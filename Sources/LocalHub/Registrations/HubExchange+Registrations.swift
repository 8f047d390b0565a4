import HTTPServing
import HTTPTypes
import Hummingbird

extension HubExchange {
    /// Creates a registration id: `POST /{hub}/registrationids`.
    func createRegistrationID() -> Response {
        let id = RegistrationID.make(environment.random)
        return response(.created, headers: ["Location": request.address(below: id)])
    }

    /// Creates a registration: `POST /{hub}/registrations`.
    func createRegistration() throws(HubFailure) -> Response {
        let id = RegistrationID.make(environment.random)
        let registration = try RegistrationDocument(request.body)
            .registration(id: id, version: 1, at: environment.now())
        try hub.update { state throws(HubFailure) in try state.put(registration) }
        return entry(registration, at: request.address(below: id), isNew: true)
    }

    /// Creates, replaces or updates a registration: `PUT /{hub}/registrations/{id}`.
    func putRegistration(id: String) throws(HubFailure) -> Response {
        guard RegistrationID.isValid(id) else { throw .invalidRegistrationID }
        let document = try RegistrationDocument(request.body)
        let condition = request.headers["if-match"].map(EntityTag.init)
        let now = environment.now()
        let registration = try hub.update { state throws(HubFailure) in
            try Self.check(condition, state.registration(id: id, at: now))
            return try state.put(document, id: id, at: now)
        }
        return entry(registration, at: request.address)
    }

    /// Reads a registration: `GET /{hub}/registrations/{id}`.
    func registration(id: String) throws(HubFailure) -> Response {
        let now = environment.now()
        guard let registration = hub.update({ $0.registration(id: id, at: now) }) else {
            throw .unknownPath
        }
        return entry(registration, at: request.address, .read)
    }

    /// Deletes a registration: `DELETE /{hub}/registrations/{id}`.
    func deleteRegistration(id: String) throws(HubFailure) -> Response {
        let condition = request.headers["if-match"].map(EntityTag.init)
        let now = environment.now()
        try hub.update { state throws(HubFailure) in
            guard let known = state.registration(id: id, at: now) else { throw .unknownPath }
            try Self.check(condition, known)
            state.removeRegistration(id: id)
        }
        return response(.ok)
    }

    /// Lists all registrations: `GET /{hub}/registrations`.
    func registrations() throws(HubFailure) -> Response {
        try listing()
    }

    /// Lists the registrations of a channel: `GET /{hub}/registrations?$filter=…`.
    func registrations(filter: String) throws(HubFailure) -> Response {
        let filter = try ChannelFilter(filter)
        return try listing { index in
            filter.devices.reduce(into: Set()) { $0.formUnion(index.positions(of: $1)) }
        } where: {
            filter.matches($0)
        }
    }

    /// Lists the registrations that have a tag: `GET /{hub}/tags/{tag}/registrations`.
    func registrations(tag: String) throws(HubFailure) -> Response {
        try listing { $0.positions(carrying: tag) }
    }

    private func listing(
        _ candidates: @Sendable (RegistrationIndex) -> Set<Int>? = { _ in nil },
        where isListed: @Sendable (Registration) -> Bool = { _ in true }
    ) throws(HubFailure) -> Response {
        let query = request.target.query
        let start = try query["continuationtoken"].map { token throws(HubFailure) in
            try RegistrationPage.position(token: token)
        }
        let limit = try query["$top"].map { top throws(HubFailure) in
            guard let top = Int(top), top > 0 else {
                throw .badRequest("$top must be a whole number of at least 1.")
            }
            return min(top, RegistrationPage.mostEntries)
        }
        let now = environment.now()
        let page = hub.update { state in
            state.registrations.page(
                of: candidates(state.registrations), from: start ?? 0,
                limit: limit ?? RegistrationPage.mostEntries
            ) { $0.isLive(at: now) && isListed($0) }
        }
        let feed = AtomFeed(
            title: "Registrations", address: request.address,
            next: page.nextPosition.map { nextAddress(RegistrationPage.token($0)) },
            updated: environment.now(),
            entries: page.registrations.map {
                atomEntry($0, at: request.address(below: $0.id), .read)
            })
        var answer = response(
            .ok, headers: ["Content-Type": AtomFeed.contentType], body: feed.xml)
        if let next = page.nextPosition {
            answer.headers.add("x-ms-continuationtoken", RegistrationPage.token(next))
        }
        return answer
    }

    private func nextAddress(_ token: String) -> String {
        let kept = request.target.queryText.dropFirst().split(separator: "&").filter { pair in
            QueryParameters(pair)?["continuationtoken"] == nil
        }
        let query = (kept + ["continuationtoken=\(token)"]).joined(separator: "&")
        return "\(request.address.prefix { $0 != "?" })?\(query)"
    }

    private func entry(
        _ registration: Registration, at address: String,
        _ form: RegistrationDescription.Form = .written, isNew: Bool = false
    ) -> Response {
        let entry = atomEntry(registration, at: address, form)
        var answer = response(
            .ok,
            headers: [
                "Content-Type": AtomEntry.contentType,
                "ETag": AtomEntry.tag(registration.version),
            ], body: entry.xml)
        if isNew { answer.headers.add("Content-Location", entry.address) }
        return answer
    }

    private func atomEntry(
        _ registration: Registration, at address: String, _ form: RegistrationDescription.Form
    ) -> AtomEntry {
        AtomEntry(
            address: address, title: registration.id, updated: registration.updated,
            version: registration.version,
            content: RegistrationDescription(registration: registration, form: form).xml)
    }

    private static func check(
        _ condition: EntityTag?, _ known: Registration?
    ) throws(HubFailure) {
        guard let condition else { return }
        guard let known else { throw .unknownPath }
        guard condition.matches(known.version) else { throw .preconditionFailed }
    }
}

/// The condition of an `If-Match` header.
private enum EntityTag: Equatable {
    case any
    /// A version, written as `"3"`, `W/"3"` or `3`.
    case version(String)

    init(_ header: String) {
        var text = header[...].drop { $0 == " " }
        while text.last == " " { text = text.dropLast() }
        if text.hasPrefix("W/") { text = text.dropFirst(2) }
        // The .NET SDK puts any value in quotation marks, including the asterisk.
        let bare = text.filter { $0 != "\"" }
        self = bare == "*" ? .any : .version(bare)
    }

    func matches(_ version: Int) -> Bool {
        switch self {
        case .any: true
        case .version(let text): text == String(version)
        }
    }
}
