import struct Foundation.Date

extension HubState {
    /// The registration of an id; nil when there is none, or it has expired.
    ///
    /// - Parameters:
    ///   - id: the registration's id.
    ///   - now: the hub's time.
    /// - Returns: the registration.
    func registration(id: String, at now: Date) -> Registration? {
        registrations[id: id].flatMap { $0.isLive(at: now) ? $0 : nil }
    }

    /// Adds the registration that a document describes, or puts it in the place of the one of the same id.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - id: the registration's id.
    ///   - now: the hub's time.
    /// - Returns: the registration.
    /// - Throws: a 400 for what the document has wrong, a 403 when the hub keeps as many devices as it can.
    mutating func put(
        _ document: RegistrationDocument, id: String, at now: Date
    ) throws(HubFailure) -> Registration {
        let known = registration(id: id, at: now)
        var registration = try document.registration(
            id: id, version: (known?.version ?? 0) + 1, at: now)
        // What an installation stands for stays its own, to be replaced and deleted with it.
        registration.installationID = known?.installationID
        registration.expiration = known?.expiration
        try put(registration)
        return registration
    }
}
