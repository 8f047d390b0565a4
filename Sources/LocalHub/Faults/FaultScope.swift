/// The operations that a fault rule looks at.
package enum FaultScope: String, Sendable, Hashable, CaseIterable {
    /// Sends of every kind, scheduled ones and their cancelling included.
    case sends
    /// Registrations, their ids and listings.
    case registrations
    /// Installations.
    case installations
    /// Telemetry and feedback.
    case telemetry
    /// Every operation.
    case all

    /// Whether an operation is in the scope.
    func contains(_ operation: HubOperation) -> Bool {
        switch operation {
        case .send, .directSend, .batchSend, .testSend, .scheduleSend, .cancelScheduledSend:
            self == .sends || self == .all
        case .createRegistrationID, .createRegistration, .putRegistration, .registration,
            .deleteRegistration, .registrations, .registrationsByChannel, .registrationsByTag:
            self == .registrations || self == .all
        case .putInstallation, .patchInstallation, .installation, .deleteInstallation:
            self == .installations || self == .all
        case .telemetry, .feedbackContainer:
            self == .telemetry || self == .all
        case .entity, .createJob, .job, .jobs:
            self == .all
        }
    }
}
