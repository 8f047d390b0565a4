package import CampaignCore
package import FoundationEssentials

extension RelationalStore {
    package func notification(_ id: NotificationID) async throws -> StoredNotification? {
        try await query { [keyring] db in
            guard let place = try NotificationKey.find(id, db) else { return nil }
            let found = try db.row(
                """
                SELECT \(NotificationRow.columns()), r.name
                FROM notifications n
                JOIN runs ON runs.key = n.run
                LEFT JOIN contents c ON c.key = n.content
                LEFT JOIN recipients r ON r.run = ?1 AND r.number = n.number
                WHERE n.run = ?1 AND n.number = ?2
                """, [place.run, place.number]
            ) { row in
                (try NotificationRow(row), try row.optionalText(NotificationRow.columnCount))
            }
            guard let (notification, name) = found else { return nil }
            return try notification.stored(
                for: name.map { Username(checked: $0) }, keyring, db)
        }
    }

    package func revoke(_ id: NotificationID, at time: Date) async throws -> Bool {
        try await update(isOfRun: true) { db in
            guard let place = try NotificationKey.find(id, db) else { return false }
            // The earlier of the two times is kept: the notification's or its run's.
            let isRevoked = try db.row(
                "SELECT revoked IS NOT NULL FROM runs WHERE key = ?1", [place.run]
            ) { try $0.bool(0) }
            guard isRevoked == false else { return isRevoked != nil }
            try db.noteRevoked(place.number, of: place.run)
            try db.changing(.notifications([place.number]), of: place.run) {
                try db.run(
                    """
                    UPDATE notifications SET revoked = ?3
                    WHERE run = ?1 AND number = ?2 AND revoked IS NULL
                    """, [place.run, place.number, time])
            }
            return true
        }
    }
}
