/// What became of a test send.
public struct NotificationOutcome: Sendable, Hashable {
    /// How far the message has come: a test send has always ended.
    public let state: NotificationState

    /// How many devices' push services took it.
    public let success: Int

    /// How many devices' push services did not.
    public let failure: Int

    /// What happened, device by device; at most 10.
    public let results: [RegistrationResult]

    /// The id to give when asking Microsoft about this request.
    public let trackingID: String

    init(_ root: HubElement, _ trackingID: String) throws(XMLFault) {
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

/// What became of a test send at one device.
public struct RegistrationResult: Sendable, Hashable {
    /// The push service, such as `apple`; empty where the hub does not say.
    public let platform: String

    /// The device's handle, which no description shows; nil where the hub does not say.
    public let handle: String?

    /// The registration's id, where there is one.
    public let registrationID: String?

    /// What the push service said, up to 200 characters; empty where it did not.
    public let outcome: String

    init(_ element: HubElement) {
        platform = element.text(of: "ApplicationPlatform").flatMap(ForeignText.cleaned) ?? ""
        handle = element.text(of: "PnsHandle")
        registrationID = element.text(of: "RegistrationId").flatMap(ForeignText.cleaned)
        outcome = element.text(of: "Outcome").flatMap(ForeignText.cleaned) ?? ""
    }
}

extension RegistrationResult: SecretHolder {
    /// Everything but the handle.
    public var description: String {
        "RegistrationResult(\(platform), \(registrationID ?? "unregistered"): \(outcome))"
    }

    /// Everything but the handle.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "platform": platform, "registrationID": registrationID as Any,
                "outcome": outcome,
            ])
    }
}
