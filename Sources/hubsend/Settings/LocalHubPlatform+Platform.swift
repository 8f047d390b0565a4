import CampaignCore
import LocalHub

extension LocalHubPlatform {
    /// The hub's word for a platform.
    init(_ platform: Platform) {
        switch platform {
        case .apns: self = .apns
        case .fcm: self = .fcm
        case .wns: self = .wns
        }
    }
}
