extension HubExchange {
    /// Does what an operation asks for.
    ///
    /// - Parameter operation: the operation.
    /// - Returns: what becomes of the request.
    /// - Throws: why the hub refuses it.
    func answer(_ operation: HubOperation) throws(HubFailure) -> HubAnswer {
        switch operation {
        case .send: try send()
        case .directSend: throw .notYet("A direct send")
        case .batchSend: throw .notYet("A batch send")
        case .testSend: throw .notYet("A test send")
        case .scheduleSend: throw .notYet("A scheduled send")
        case .cancelScheduledSend: throw .notYet("Cancelling a scheduled send")
        case .telemetry: throw .notYet("Telemetry of a notification")
        case .feedbackContainer: throw .notYet("The feedback container")
        case .createRegistrationID: throw .notYet("A registration id")
        case .createRegistration: throw .notYet("Creating registrations")
        case .putRegistration: throw .notYet("Putting registrations")
        case .registration: throw .notYet("Reading registrations")
        case .deleteRegistration: throw .notYet("Deleting registrations")
        case .registrations: throw .notYet("Listing registrations")
        case .registrationsByTag: throw .notYet("Listing registrations by tag")
        case .putInstallation(let id): .response(try putInstallation(id: id))
        case .patchInstallation: throw .notYet("Patching installations")
        case .installation: throw .notYet("Reading installations")
        case .deleteInstallation: throw .notYet("Deleting installations")
        case .entity: throw .notYet("Reading hub entities")
        case .putEntity: throw .notYet("Putting hub entities")
        case .deleteEntity: throw .notYet("Deleting hub entities")
        case .job: throw .notHere("Jobs")
        }
    }
}
