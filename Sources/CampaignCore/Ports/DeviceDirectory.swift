package protocol DeviceDirectory: Sendable {
    /// The platforms among the given ones on which a push to a person's tag reaches a device.
    func platforms(
        of user: Username, among platforms: Set<Platform>
    ) async throws(HubInquiryFailure) -> Set<Platform>
}
