/// The outcome of a test send.
public struct NotificationOutcome: Sendable, Hashable {
    /// The state of the message; a test send has always finished.
    public let state: NotificationState

    /// The number of devices for which the push service accepted the message.
    public let success: Int

    /// The number of devices for which the push service did not accept the message.
    public let failure: Int

    /// The results for the devices, up to 10.
    public let results: [RegistrationResult]

    /// The id to give to Microsoft's support.
    public let trackingID: String

    init(_ root: HubElement, _ trackingID: String) throws(XMLReadingError) {
        guard root.name == "NotificationOutcome",
            let success = root.text(of: "Success").flatMap(Int.init),
            let failure = root.text(of: "Failure").flatMap(Int.init), success >= 0, failure >= 0
        else { throw .unexpected }
        state = .detailedStateAvailable
        self.success = success
        self.failure = failure
        self.trackingID = trackingID
        results = (root.child("Results")?.children ?? [])
            .filter { $0.name == "RegistrationResult" }.map(RegistrationResult.init)
    }
}

/// The result of a test send for one device.
public struct RegistrationResult: Sendable, Hashable {
    /// The push service, such as `apple`; empty if the hub does not report it.
    public let platform: String

    /// The device's handle, which descriptions do not show; nil if the hub does not report it.
    public let handle: String?

    /// The id of the registration, if there is one.
    public let registrationID: String?

    /// The response of the push service, up to 200 characters; empty if there was none.
    public let outcome: String

    init(_ element: HubElement) {
        platform = element.text(of: "ApplicationPlatform").flatMap(ForeignText.cleaned) ?? ""
        handle = element.text(of: "PnsHandle")
        registrationID = element.text(of: "RegistrationId").flatMap(ForeignText.cleaned)
        outcome = element.text(of: "Outcome").flatMap(ForeignText.cleaned) ?? ""
    }
}

extension RegistrationResult: SecretHolder {
    /// All properties except the handle.
    public var description: String {
        "RegistrationResult(\(platform), \(registrationID ?? "unregistered"): \(outcome))"
    }

    /// All properties except the handle.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "platform": platform, "registrationID": registrationID as Any,
                "outcome": outcome,
            ])
    }
}
