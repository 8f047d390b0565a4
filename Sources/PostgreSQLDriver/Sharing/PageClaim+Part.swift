import CampaignCore
import PostgreSQLClient
import Storage

extension PageClaim {
    struct Claimed: Sendable {
        let stored: StoredRun
        let position: Int
        var page = ClaimedPage(claims: [])
        /// People who were not read yet.
        var unread: ClosedRange<Int>?
    }

    /// Claims for a part.
    ///
    /// Others wait for this lock, so people are read after it, where nothing can change the page.
    func claim(
        for part: PartBinding, _ serial: Int, after earlier: Claimed?, _ db: PostgreSQLConnection
    ) throws -> Claimed {
        let stored = try StoredRun(of: run, db)
        let (cursor, position) = try lock(stored, db)
        // After the lock the earlier transaction is over, whatever became of it.
        if let earlier, try ClaimedPages.contains(serial, of: part, db) { return earlier }
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
        claimed.unread = first...last
        return claimed
    }

    func people(
        _ numbers: ClosedRange<Int>, of claimed: Claimed, _ db: PostgreSQLConnection
    ) throws -> ClaimChoice {
        var choice = ClaimChoice(limit: numbers.count)
        choice.decide(
            on: try people(
                numbers.count, in: (numbers.lowerBound - 1)..<numbers.upperBound,
                of: claimed.stored, on: claimed.position, db),
            platform, at: time)
        return choice
    }
}
