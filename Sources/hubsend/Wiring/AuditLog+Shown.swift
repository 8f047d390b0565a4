import AppBackend
import CampaignCore
import Foundation
import Logging
import Settings

extension AuditLog {
    /// The audit file of the settings' app backend.
    ///
    /// - Throws: `AuditError` when it cannot be written.
    convenience init(of settings: EffectiveSettings, logger: Logger) throws {
        try self.init(path: settings.audit, logger: logger)
    }

    /// Writes down that somebody on this machine is shown a payload.
    ///
    /// - Throws: `AuditError`: whoever cannot be written down is shown nothing.
    func noteShown(_ id: NotificationID) throws {
        note(
            AuditEntry(
                time: Date(), user: nil, action: .show, what: id.text, address: nil, outcome: "ok",
                reason: "shown to the system's user \(NSUserName())"))
        try flush()
    }
}
