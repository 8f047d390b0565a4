/// Registers devices at the hub.
///
/// NotificationHubs implements it. Every call throws ``RegistrarFailure`` and nothing else.
package protocol DeviceRegistrar: Sendable {
    /// Asks the hub for a registration id.
    func createID() async throws(RegistrarFailure) -> String
    /// Creates or replaces the registration of an id.
    ///
    /// - Parameters:
    ///   - id: from ``createID()``.
    ///   - platform: the device's push service.
    ///   - handle: what its push service knows it by.
    ///   - tags: all of its tags, `username:` included.
    func register(
        _ id: String, platform: Platform, handle: String, tags: [String]
    ) async throws(RegistrarFailure)
    /// Deletes a registration; succeeds also when there is none.
    func delete(_ id: String) async throws(RegistrarFailure)
    /// The ids of all registrations of a handle, at most 100, whoever made them.
    func ids(ofHandle handle: String) async throws(RegistrarFailure) -> [String]
}

/// Why a device could not be registered at the hub; never with its handle.
package enum RegistrarFailure: Error, Hashable, Sendable {
    /// The id can no longer be used (410); a new one has to be asked for.
    case gone
    /// The hub or its rules do not allow this handle, id or tag.
    case refused(String)
    /// The hub asks for patience.
    case busy(after: Duration?)
    /// The hub cannot be reached, or its answer was lost; the call can be repeated safely.
    case unavailable(String)
    /// The connection string lacks the right, or names no hub: only the operator can mend it.
    case misconfigured(String)
}
