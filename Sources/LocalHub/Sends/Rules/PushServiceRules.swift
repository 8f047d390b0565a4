enum PushServiceRules {
    /// The payload is not what the hub itself accepts for the platform.
    struct MalformedPayload: Error {}

    /// Throws when a payload that must be a JSON object is something else.
    static func refusal(
        of payload: [UInt8], headers: [String: String], on platform: LocalHubPlatform
    ) throws(MalformedPayload) -> PushRefusal? {
        let takesObject = platform.facts.takesJSONObject
        let object = takesObject ? JSONValue.read(payload)?.members : nil
        guard !takesObject || object != nil else { throw MalformedPayload() }
        if let largest = platform.largestPayload(headers: headers), payload.count > largest {
            return PushRefusal(
                outcome: .invalidNotificationSize,
                reason: "The payload has \(payload.count) bytes; \(platform.rawValue) takes "
                    + "\(largest).")
        }
        let fault: String? =
            switch (platform, object) {
            case (.apns, let object?): APNsRules.fault(in: object, headers: headers)
            case (.fcm, let object?): FCMRules.fault(in: object)
            case (.gcm, let object?): GCMRules.fault(in: object)
            case (.adm, let object?): ADMRules.fault(in: object)
            case (.wns, _): WNSRules.fault(in: payload, headers: headers)
            default: nil
            }
        return fault.map(PushRefusal.dropped)
    }
}
