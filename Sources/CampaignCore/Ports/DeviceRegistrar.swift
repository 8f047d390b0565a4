/// Registers devices at the hub.
///
/// NotificationHubs has it. Every call throws ``RegistrarFailure`` and nothing else.
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
    /// - Throws: ``RegistrarFailure``.
    func register(
        _ id: String, platform: Platform, handle: String, tags: [String]
    ) async throws(RegistrarFailure)
    /// Deletes a registration; one that is not there is good.
    func delete(_ id: String) async throws(RegistrarFailure)
    /// The ids of all registrations of a handle, at most 100, whoever made them.
    func ids(ofHandle handle: String) async throws(RegistrarFailure) -> [String]
}
