package protocol DeviceRegistrar: Sendable {
    func createID() async throws(RegistrarFailure) -> String
    /// Creates or replaces a registration; `tags` includes the `username:` tag.
    func register(
        _ id: String, platform: Platform, handle: String, tags: [String]
    ) async throws(RegistrarFailure)
    /// Deletes a registration; also succeeds if there is none.
    func delete(_ id: String) async throws(RegistrarFailure)
    /// Returns at most 100 IDs with this handle, of any user.
    func ids(ofHandle handle: String) async throws(RegistrarFailure) -> [String]
}

/// Why a request to the hub failed; never contains the handle.
package enum RegistrarFailure: Error, Hashable, Sendable {
    /// The ID can no longer be used (410); ask for a new one.
    case gone
    /// The hub refused this handle, ID or tag.
    case refused(String)
    case busy(after: Duration?)
    /// The hub is unreachable, or its answer was lost; the call can be repeated safely.
    case unavailable(String)
    /// The connection string lacks a right or names no hub; only the operator can fix it.
    case misconfigured(String)
}
