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

extension RegistrationResult: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Everything but the handle.
    public var description: String {
        "RegistrationResult(\(platform), \(registrationID ?? "unregistered"): \(outcome))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

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
