package import CampaignCore
import Crypto
import Files
import FoundationEssentials
import PostgreSQLClient
import Storage

/// Keeps other processes, on any host, away from a campaign.
///
/// The lock is available only while no process has a valid part in the campaign's runs, and no
/// process can join while it is held. It is an advisory lock of a separate session: the server
/// releases it when the connection ends, immediately when the process ends, and within half a
/// minute when the host is cut off.
extension PostgreSQLStore: CampaignLock {
    package var campaignLock: any CampaignLock { self }

    package func acquire(campaign: String) async throws -> (any HeldCampaignLock)? {
        await locks.waitForRelease(of: campaign)
        // This is done before taking the lock: the lock would keep others from joining, and every
        // waiting process would repeatedly open a connection for it.
        guard try await !isWorkedOn(campaign: campaign),
            let lock = try await takeSession(campaign: campaign)
        else { return nil }
        do {
            // Nobody joins while the lock is held.
            guard try await read({ db in try RunMember.exist(in: campaign, db) }),
                try await !write({ db in try RunMember.takeOverExpired(in: campaign, db) })
            else { return lock }
        } catch {
            lock.release()
            throw error
        }
        lock.release()
        return nil
    }

    /// Takes the lock, even if other processes take part in runs.
    private func takeSession(campaign: String) async throws -> HeldServerLock? {
        let key = lockKey(of: campaign)
        let deadline = AnswerDeadline()
        do {
            let taken = try await withTaskCancellationHandler {
                try await BlockingWork.run { () throws -> HeldServerLock? in
                    let session = try pool.dedicatedConnection(by: deadline)
                    let process = try session.withConnection { db in
                        try db.row(
                            "SELECT pg_backend_pid() WHERE pg_try_advisory_lock(?1)", [key]
                        ) { try $0.int(0) }
                    }
                    guard let process else {
                        session.close()
                        return nil
                    }
                    return locks.add(session, of: process, campaign: campaign)
                }
            } onCancel: {
                deadline.hurry(within: pool.grace)
            }
            deadline.relax()
            return taken
        } catch {
            throw StoreError.translating(error, at: place)
        }
    }

    /// The lock's number at the server, which differs between the stores of a database.
    func lockKey(of campaign: String) -> Int64 {
        let digest = SHA256.hash(data: Data("\(identity) campaign \(campaign)".utf8))
        return Int64(bitPattern: digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    /// On a replica, only parts in runs are visible, because locks exist only on the primary.
    package func isWorkedOn(campaign: String) async throws -> Bool {
        let key = lockKey(of: campaign)
        return try await read { db in
            if try RunMember.exist(in: campaign, where: RunMember.isAlive, db) { return true }
            // `pg_locks` shows a lock's number in two halves, upper and lower (documentation,
            // 54.12).
            return try db.hasRow(
                """
                SELECT 1 FROM pg_locks
                WHERE locktype = 'advisory' AND granted AND objsubid = 1
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    AND (classid::bigint << 32) | objid::bigint = ?1
                """, [key])
        }
    }
}
