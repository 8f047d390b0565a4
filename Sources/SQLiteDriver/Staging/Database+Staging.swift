import CampaignCore
import Crypto
import FoundationEssentials
import GRDB
package import Storage

extension Database {
    package func insert(_ people: [StagedPerson], of run: Int64) throws {
        var batch = try RowBatch(
            into: "recipients", RunDigests.recipients, others: ["notification"], self)
        var shared: Int64 = 0
        for person in people {
            batch.append(run)
            batch.append(person.number)
            batch.append(person.name.text)
            batch.append(person.notification)
            try batch.endRow()
            shared &+= RunDigests.shared(person.notification, by: person.number)
        }
        try batch.finish()
        try RunDigests.add(recipients: batch.digest &+ shared, to: run, self)
    }

    package func insert(_ notifications: [StagedNotification], of run: Int64) throws {
        var batch = try RowBatch(
            into: "notifications", RunDigests.notifications,
            others: ["byte_count", "language", "texts"], self)
        var added: Int64 = 0
        for staged in notifications {
            let notification = staged.notification
            batch.append(run)
            batch.append(staged.number)
            batch.append(notification.id.text)
            batch.append(notification.type)
            batch.append(notification.message)
            batch.append(notification.mediaType)
            batch.append(staged.content)
            batch.append(notification.sealed)
            batch.append(nil as Int64?)
            batch.append(notification.byteCount.map(Int64.init))
            batch.append(notification.language)
            batch.append(notification.texts)
            try batch.endRow()
            added &+= RunDigests.added(
                number: staged.number, language: notification.language, texts: notification.texts)
        }
        try batch.finish()
        try RunDigests.add(notifications: batch.digest &+ added, to: run, self)
    }

    package func key(of content: [UInt8], in run: Int64) throws -> Int64 {
        let digest = Array(SHA256.hash(data: content))
        let known = try row("SELECT key FROM contents WHERE digest = ?1", [digest]) {
            try $0.int64(0)
        }
        if let known { return known }
        try self.run("INSERT INTO contents (digest, bytes) VALUES (?1, ?2)", [digest, content])
        return lastInsertedRowID
    }

    package func note(hasWaves: Bool, of run: StoredRun) throws {
        // The sums of the digests of rows in `run_waves` (null without waves) and of rows in
        // `wave_claims` on each platform.
        let sum = hasWaves ? try RunDigests.waves(of: run.key, self) : nil
        try self.run("UPDATE runs SET waves_digest = ?2 WHERE key = ?1", [run.key, sum])
        try self.run(
            "UPDATE run_platforms SET waves_digest = ?2 WHERE run = ?1",
            [run.key, hasWaves ? 0 : nil])
    }

    /// People who are staged later are added to new digests.
    package func beginAnew(_ run: Int64) throws {
        try self.run(
            """
            UPDATE runs SET recipients_digest = 0, notifications_digest = 0, deliveries_digest = 0
            WHERE key = ?1 AND seal IS NOT NULL
            """, [run])
    }
}
