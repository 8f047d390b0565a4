import CampaignCore
import FoundationEssentials

/// Whether a stored payload can be fetched, in a word.
enum NotificationState: String {
    case available
    case expired
    case revoked
    /// Its content was deleted.
    case purged

    init(_ overview: NotificationOverview, at now: Date) {
        if overview.byteCount == nil, overview.kind.isSilent {
            self = .purged
        } else if overview.revoked != nil {
            self = .revoked
        } else {
            self = overview.expires <= now ? .expired : .available
        }
    }
}
