/// Knows on which platforms people have devices at the hub.
///
/// NotificationHubs implements it. Every call throws ``HubInquiryFailure`` and nothing else.
package protocol DeviceDirectory: Sendable {
    /// Asks for a person's devices.
    ///
    /// - Parameters:
    ///   - user: whose.
    ///   - platforms: the ones that are asked about; once a device on each was found, the rest is not looked at.
    /// - Returns: those of the platforms on which they have a device that a push to their tag reaches.
    func platforms(
        of user: Username, among platforms: Set<Platform>
    ) async throws(HubInquiryFailure) -> Set<Platform>
}
