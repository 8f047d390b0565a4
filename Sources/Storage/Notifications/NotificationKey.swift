package import CampaignCore

/// Where a notification is stored.
///
/// Statements specify the run, so that a server plans for and locks only its partition.
package struct NotificationKey: Sendable {
    /// A number lower than that of any notification.
    package static let beforeAll = -1_000_000

    package let run: Int64
    /// The recipient's number; 0 or less if recipients share the notification.
    package let number: Int

    package init(run: Int64, number: Int) {
        self.run = run
        self.number = number
    }

    package static func find(
        _ id: NotificationID, _ db: any SQLConnection
    ) throws -> NotificationKey? {
        try db.row("SELECT run, number FROM notification_ids WHERE id = ?1", [id.text]) { row in
            NotificationKey(run: try row.int64(0), number: try row.int(1))
        }
    }
}
