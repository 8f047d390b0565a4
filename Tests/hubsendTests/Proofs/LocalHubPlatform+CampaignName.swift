import LocalHub

extension LocalHubPlatform {
    /// The name that campaigns and reports use.
    var campaignName: String {
        switch self {
        case .apns: "apns"
        case .fcm: "fcm"
        case .wns: "wns"
        default: rawValue
        }
    }
}
