package protocol DeviceDirectory: Sendable {
    /// Returns those of the given platforms on which a push to a person's tag reaches a device.
    func platforms(
        of user: Username, among platforms: Set<Platform>
    ) async throws(HubInquiryFailure) -> Set<Platform>
}
