/// The answer to a test send, on one line (reference, section 3.10).
struct NotificationOutcomeDocument {
    /// The most devices that a test send reaches.
    static let mostDevices = 10

    /// What became of each push.
    let results: [PushResult]

    /// The document.
    var xml: String {
        let successes = results.count { $0.refusal == nil }
        let list =
            results.isEmpty
            ? "<Results i:nil=\"true\"/>"
            : "<Results>" + results.map(Self.xml).joined() + "</Results>"
        return "<NotificationOutcome \(XMLText.serviceNamespaces)>"
            + XMLText.element("Success", String(successes))
            + XMLText.element("Failure", String(results.count - successes))
            + list + "</NotificationOutcome>"
    }

    private static func xml(_ result: PushResult) -> String {
        let registration = result.target.registration
        return "<RegistrationResult>"
            + XMLText.element("ApplicationPlatform", result.target.device.platform.format)
            + XMLText.element(
                "PnsHandle", registration?.channel.handle ?? result.target.device.handle)
            + XMLText.element("RegistrationId", registration?.id ?? "")
            + XMLText.element("Outcome", text(result.refusal)) + "</RegistrationResult>"
    }

    /// The documented texts where there are any.
    private static func text(_ refusal: PushRefusal?) -> String {
        switch refusal?.outcome {
        case nil: "The Notification was successfully sent to the Push Notification System"
        case .wrongToken: "The Token obtained from the Token Provider is wrong"
        default: refusal?.reason ?? ""
        }
    }
}
