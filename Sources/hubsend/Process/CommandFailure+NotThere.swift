import CampaignCore

extension CommandFailure {
    /// A run that the store does not have.
    static func noSuchRun(_ id: RunID) -> CommandFailure {
        CommandFailure(
            .configuration,
            "There is no run \(id) in this store; `hubsend runs` lists those that are.")
    }

    /// A campaign of which the store has no run.
    static func noSuchCampaign(_ name: String) -> CommandFailure {
        CommandFailure(
            .configuration,
            "There is no run of a campaign \(name) in this store; `hubsend runs` lists those that are."
        )
    }

    /// Payloads that the store does not have.
    static func noSuchPayload(_ ids: [NotificationID]) -> CommandFailure {
        CommandFailure(
            .configuration,
            """
            There is no payload \(ids.map(\.text).joined(separator: ", ")) in this store, and nothing was done; \
            `hubsend payload list` lists those that are.
            """)
    }
}
