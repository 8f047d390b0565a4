extension HubExchange {
    /// Does what an operation asks for.
    ///
    /// - Parameter operation: the operation.
    /// - Returns: what becomes of the request.
    /// - Throws: why the hub refuses it.
    func answer(_ operation: HubOperation) throws(HubFailure) -> HubAnswer {
        switch operation {
        case .send: try send()
        case .directSend: try directSend()
        case .batchSend: try batchSend()
        case .testSend: try testSend()
        case .scheduleSend: try scheduleSend()
        case .cancelScheduledSend(let id): .response(try cancelScheduledSend(id: id))
        case .telemetry(let id): .response(try telemetry(id: id))
        case .feedbackContainer: .response(feedbackContainer())
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
