package import CampaignCore
import Foundation

extension AuditLog {
    /// Writes down that somebody on this machine is shown a payload.
    ///
    /// - Throws: `AuditError`: whoever cannot be written down is shown nothing.
    package func noteShown(_ id: NotificationID) throws {
        note(
            AuditEntry(
                time: Date(), user: nil, action: .show, what: id.text, address: nil, outcome: "ok",
                reason: "shown to the system's user \(NSUserName())"))
        try flush()
    }
}
