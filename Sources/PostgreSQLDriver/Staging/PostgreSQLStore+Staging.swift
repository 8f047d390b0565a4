package import CampaignCore
import PostgreSQLClient
package import Storage

extension PostgreSQLStore {
    package func finishStaging(_ run: RunID, counts: AudienceCounts) async throws {
        let staged = try await read { db in try StoredRun(of: run, db) }
        try await withoutTransaction { db in try RunPartitions.complete(staged, db) }
        try await write(isLong: true) { [identity] db in
            let stored = try StoredRun(staging: run, db)
            try stored.finishStaging(run, counts, db)
            try db.indexNotifications(of: stored.key)
            try RunListener.tell(identity, db)
        }
    }
}

extension PostgreSQLConnection {
    package func insert(_ people: [StagedPerson], of run: Int64) throws {
        let columns = ["run", "number", "name", "notification"]
        _ = try copy(into: RunPartitions.table("recipients", of: run), columns: columns) { copy in
            for person in people {
                copy.beginRow(columns.count)
                copy.append(run)
                copy.append(person.number)
                copy.append(person.name.text)
                copy.append(person.notification)
            }
        }
    }

    package func insert(_ notifications: [StagedNotification], of run: Int64) throws {
        let columns = [
            "run", "number", "id", "type", "message", "media_type", "content", "sealed",
            "byte_count", "language", "texts",
        ]
        _ = try copy(into: RunPartitions.table("notifications", of: run), columns: columns) {
            copy in
            for staged in notifications {
                let notification = staged.notification
                copy.beginRow(columns.count)
                copy.append(run)
                copy.append(staged.number)
                copy.append(notification.id.text)
                copy.append(notification.type.map(StoredText.encode))
                copy.append(notification.message.map(StoredText.encode))
                copy.append(notification.mediaType)
                copy.append(staged.content)
                copy.append(notification.sealed)
                copy.append(notification.byteCount)
                copy.append(notification.language)
                copy.append(notification.texts)
            }
        }
    }

    package func note(hasWaves: Bool, of run: StoredRun) throws {
        try execute("UPDATE runs SET has_waves = $1 WHERE key = $2", [hasWaves, run.key])
    }

    /// This frees the disk space immediately; nobody reads partitions of a run that is being
    /// staged.
    package func beginAnew(_ run: Int64) throws {
        try RunMember.removeAll(of: run, self)
        guard RunPartitions.has(run) else { return }
        let tables = ["notifications", "recipients", "deliveries"].map {
            RunPartitions.table($0, of: run)
        }
        try executeScript("TRUNCATE \(tables.joined(separator: ", "))")
    }
}
