enum PushServiceRules {
    /// The error if the hub itself does not accept the payload for the platform.
    struct MalformedPayload: Error {}

    /// Throws an error if a payload must be a JSON object but is not.
    static func refusal(
        of payload: [UInt8], headers: [String: String], on platform: LocalHubPlatform
    ) throws(MalformedPayload) -> PushRefusal? {
        let takesObject = platform.facts.takesJSONObject
        let object = takesObject ? JSONValue.read(payload)?.members : nil
        guard !takesObject || object != nil else { throw MalformedPayload() }
        if let largest = platform.largestPayload(headers: headers), payload.count > largest {
            return PushRefusal(
                outcome: .invalidNotificationSize,
                reason: "The payload has \(payload.count) bytes; \(platform.rawValue) allows "
                    + "\(largest).")
        }
        let problem: String? =
            switch (platform, object) {
            case (.apns, let object?): APNsRules.problem(in: object, headers: headers)
            case (.fcm, let object?): FCMRules.problem(in: object)
            case (.gcm, let object?): GCMRules.problem(in: object)
            case (.adm, let object?): ADMRules.problem(in: object)
            case (.wns, _): WNSRules.problem(in: payload, headers: headers)
            default: nil
            }
        return problem.map(PushRefusal.dropped)
    }
}
