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
}
