import CampaignCore

extension CommandFailure {
    /// A run that the store does not have.
    static func noSuchRun(_ id: RunID) -> CommandFailure {
        CommandFailure(
            .configuration,
            "There is no run \(id) in this store; `hubsend runs` lists those that are.")
    }

    /// A payload that the store does not have.
    static func noSuchPayload(_ id: NotificationID) -> CommandFailure {
        CommandFailure(
            .configuration,
            "There is no payload \(id) in this store; `hubsend payload list` lists those that are.")
    }
}
