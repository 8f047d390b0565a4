import LocalHub

extension LocalHubPlatform {
    /// The name in campaigns and reports.
    var campaignName: String {
        switch self {
        case .apns: "apns"
        case .fcm: "fcm"
        case .wns: "wns"
        default: rawValue
        }
    }
}
