import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import Synchronization

extension ServerPart {
    /// Claims a page.
    ///
    /// A transaction whose answer was lost may have been committed; the next try finds the page by
    /// its number and returns it.
    func claimNext(
        _ run: RunID, platform: Platform, wave: Int?, limit: Int, cap: FrequencyCap?, at time: Date
    ) async throws -> ClaimedPage {
        let claim = PageClaim(
            run: run, platform: platform, wave: wave, limit: limit, cap: cap, time: time,
            keyring: keyring)
        let serial = memory.lastSerial.wrappingAdd(1, ordering: .relaxed).newValue
        let claimed = try await writeOnce { earlier, db in
            try claim.claim(for: self, serial, after: earlier, db)
        }
        var page = claimed.page
        if let numbers = claimed.unread {
            let choice = try await query { db in
                var choice = ClaimChoice()
                let people = try claim.people(
                    numbers.count, in: numbers, of: claimed.stored, on: claimed.position, db)
                try claim.decide(on: people, of: claimed.stored, &choice, db)
                return choice
            }
            if !choice.skipped.isEmpty {
                try await write { db in
                    try db.insert(choice.skipped, of: claimed.stored) { _ in claimed.position }
                }
            }
            page = ClaimedPage(claims: choice.claims, skipped: choice.skipped.count)
        }
        if !page.claims.isEmpty {
            page.id = serial
        } else if claimed.unread != nil || !page.isEmpty {
            // Nothing in the page is left to record, or others have taken over the part.
            try await write { db in try ClaimedPages.close([serial], of: self, db) }
        }
        return page
    }

    /// Takes waiting deliveries that belong to nobody, up to a limit.
    func waiting(
        _ run: RunID, platform: Platform, after number: Int, through last: Int?, limit: Int
    ) async throws -> [DeliveryClaim] {
        try await writeOnce { (earlier: [DeliveryClaim]?, db) in
            let found = try PlatformDeliveries(of: run, on: platform, db)
            let (key, position, last) = (found.run.key, found.platform.position, last ?? .max)
            let place: [any PostgreSQLBindable] = [key, position, number, last, member]
            var rows: [PostgreSQLRow] = []
            if let earlier, !earlier.isEmpty {
                rows = try db.rows(Self.takingAgain, place + [earlier.map(\.number)])
            }
            if rows.isEmpty { rows = try db.rows(Self.taking, place + [limit]) }
            guard !rows.isEmpty else { return [] }
            return try ClaimQuery.fetch(
                Self.adopted, [key, position, StoredJSON.encode(rows.map { try $0.int(0) })],
                isDense: false, of: found.run, on: platform, keyring: keyring, db)
        }
    }

    /// Takes waiting deliveries that belong to nobody, which are found by number, whatever the
    /// server's statistics are.
    private static let taking = """
        UPDATE deliveries SET member = $5
        WHERE run = $1 AND platform = $2 AND number = ANY(ARRAY(
            SELECT number FROM deliveries
            WHERE run = $1 AND member IS NULL AND state < 2
                AND state = \(DeliveryState.waiting.rawValue)
                AND platform = $2 AND number > $3 AND number <= $4
            ORDER BY number LIMIT $6 FOR UPDATE SKIP LOCKED))
        RETURNING number
        """

    /// Retakes deliveries that an earlier attempt may have taken; waits until the transaction of
    /// that attempt has ended.
    private static let takingAgain = """
        UPDATE deliveries SET member = $5
        WHERE run = $1 AND platform = $2 AND number > $3 AND number <= $4 AND number = ANY($6)
            AND (member IS NULL OR member = $5) AND state = \(DeliveryState.waiting.rawValue)
        RETURNING number
        """

    /// Returns nothing, because claimed deliveries without an outcome may be in flight in another
    /// process.
    func interrupted(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) async throws -> [DeliveryClaim] { [] }

    private static let adopted = """
        SELECT d.number, r.name, r.notification, d.attempts, d.is_uncertain
        FROM json_array_elements_text(?3::json) AS n
        CROSS JOIN LATERAL (
            SELECT number, attempts, is_uncertain FROM deliveries
            WHERE run = ?1 AND platform = ?2 AND number = n.value::bigint LIMIT 1
        ) d
        CROSS JOIN LATERAL (
            SELECT name, notification FROM recipients WHERE run = ?1 AND number = d.number LIMIT 1
        ) r
        """

    func claimAgain(
        _ run: RunID, platform: Platform, numbers: [Int], at time: Date
    ) async throws {
        // `claimed_at` is not changed, because it is only for deliveries without a row and all
        // claiming processes would wait for it.
        try await change(
            numbers, on: platform,
            "state = \(DeliveryState.sending.rawValue), recorded = $5",
            [StoredTime.milliseconds(time)])
    }

    func letGo(_ numbers: [Int], on platform: Platform) async throws {
        try await change(numbers, on: platform, "member = NULL")
    }

    /// Changes those of the given deliveries that belong to the part and are waiting.
    private func change(
        _ numbers: [Int], on platform: Platform, _ assignments: String,
        _ values: [any PostgreSQLBindable] = []
    ) async throws {
        for first in stride(from: 0, to: numbers.count, by: TransactionLimit.rows) {
            let slice = Array(numbers[first...].prefix(TransactionLimit.rows))
            try await write { db in
                let found = try PlatformDeliveries(of: runID, on: platform, db)
                try db.execute(
                    """
                    UPDATE deliveries SET \(assignments)
                    WHERE run = $1 AND platform = $2 AND number = ANY ($3) AND member = $4
                        AND state = \(DeliveryState.waiting.rawValue)
                    """, [found.run.key, found.platform.position, slice, member] + values)
            }
        }
    }

    func record(_ records: [DeliveryRecord], requests: Int, of run: RunID) async throws {
        // The hub's answers are recorded even if nothing new is started. Requests are counted in
        // the part's reports and must not be counted twice.
        try await write(despiteCancellation: true) { db in
            try db.record(records, of: run, member: member)
        }
    }
}

extension PageClaim {
    struct Claimed: Sendable {
        let stored: StoredRun
        let position: Int
        var page = ClaimedPage(claims: [])
        /// People who have not been read yet: those after the lower bound, up to and including the
        /// upper bound.
        var unread: Range<Int>?
    }

    /// Claims deliveries for a part.
    ///
    /// Other processes wait for this lock, so people are read after it is released, when nothing
    /// can change the page.
    fileprivate func claim(
        for part: ServerPart, _ serial: Int, after earlier: Claimed?, _ db: PostgreSQLConnection
    ) throws -> Claimed {
        let stored = try StoredRun(of: run, db)
        let (cursor, position) = try lock(stored, db)
        // Once this lock is held, the earlier transaction has ended, committed or not.
        let page = "SELECT 1 FROM claimed_pages WHERE run = $1 AND member = $2 AND serial = $3"
        if let earlier, try db.row(page, [part.key, part.member, serial]) != nil { return earlier }
        var claimed = Claimed(stored: stored, position: position)
        guard cap == nil, stored.occurrence.fallbackOf == nil else {
            claimed.page = try choose(from: cursor, of: stored, on: position, db) { numbers in
                try ClaimedPages.add(numbers, serial, of: part, on: position, db)
            }
            return claimed
        }
        let numbers = try NumberSteps.collect(cursor.open, limit: limit) { step, limit in
            try db.rows(
                "SELECT r.number \(PlatformDeliveries.unclaimed)",
                [stored.key, position, step.lowerBound, step.upperBound, limit]
            ) { try $0.int(0) }
        }
        guard let first = numbers.first, let last = numbers.last else { return claimed }
        try ClaimedPages.add(first...last, serial, of: part, on: position, db)
        try cursor.advance(
            to: last, of: stored.key, on: position, at: StoredTime.milliseconds(time), db)
        claimed.unread = (first - 1)..<last
        return claimed
    }
}
