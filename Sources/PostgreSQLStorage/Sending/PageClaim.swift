import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage

/// Claims the next people of a run on a platform, each only once.
struct PageClaim: Sendable {
    let run: RunID
    let platform: Platform
    let wave: Int?
    let limit: Int
    let cap: FrequencyCap?
    let time: Date
    let keyring: PayloadKeyring

    struct Claimed: Sendable {
        let stored: StoredRun
        let position: Int
        var page = ClaimedPage(claims: [])
        /// People who were not read yet.
        var unread: ClosedRange<Int>?
    }

    /// Claims in one transaction with everything that decides about it, which others wait for.
    func claim(_ db: PostgreSQLConnection) throws -> ClaimedPage {
        let stored = try StoredRun(of: run, db)
        let (cursor, position) = try lock(stored, db)
        return try choose(from: cursor, of: stored, on: position, db) { numbers in
            try ClaimedPages.add(numbers, of: stored.key, on: position, db)
        }
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
                "SELECT r.number \(PostgreSQLStore.unclaimed)",
                [stored.key, position, step.lowerBound, step.upperBound, limit]
            ).map { try $0.int(0) }
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
        let people = try ClaimQuery.fetch(
            Self.claimable,
            [claimed.position, numbers.lowerBound - 1, numbers.upperBound, numbers.count],
            isDense: true, run: claimed.stored, on: platform, keyring: keyring, db)
        return ClaimChoice(
            people, limit: numbers.count, cap: nil, pushes: { _ in 0 }, objection: { _ in nil })
    }

    /// Locks the cursor, after what must come before it.
    private func lock(
        _ stored: StoredRun, _ db: PostgreSQLConnection
    ) throws -> (cursor: ClaimCursor, position: Int) {
        if cap != nil { try PushCounts.lock(platform, at: stored.hub, db) }
        return try ClaimCursor.locked(wave: wave, of: stored, on: platform, id: run, db)
    }

    /// Chooses the people, records those who are skipped, and moves the cursor; `keep` records the
    /// claim.
    private func choose(
        from cursor: ClaimCursor, of stored: StoredRun, on position: Int,
        _ db: PostgreSQLConnection, keep: (ClosedRange<Int>) throws -> Void
    ) throws -> ClaimedPage {
        let wanted =
            cap == nil
            ? limit
            : ClaimChoice.candidates(for: limit, atMost: PostgreSQLStore.transactionRows)
        let candidates = try NumberSteps.collect(cursor.open, limit: wanted) { step, limit in
            try ClaimQuery.fetch(
                Self.claimable, [position, step.lowerBound, step.upperBound, limit],
                isDense: true, run: stored, on: platform, keyring: keyring, db)
        }
        let people = candidates.map(\.username)
        let counts = try cap.map { cap in
            try PushCounts(
                of: people, on: platform, at: stored.hub, besides: stored,
                since: cap.start(before: time), db)
        }
        let need = try FallbackNeed(of: stored, among: people, db)
        let choice = ClaimChoice(
            candidates, limit: limit, cap: cap, pushes: { counts?[$0] ?? 0 },
            objection: { need.objection(to: $0) })
        try DeliveryRows(skipping: choice.skipped, on: position, at: time).write(to: stored, db)
        let page = ClaimedPage(claims: choice.claims, skipped: choice.skipped.count)
        guard let last = choice.last else { return page }
        try keep((cursor.open.lowerBound + 1)...last)
        try cursor.advance(
            to: last, of: stored.key, on: position, at: StoredTime.milliseconds(time), db)
        return page
    }

    /// Claimable people; those withheld by staging have a row already.
    private static let claimable = """
        SELECT r.number, r.name, r.notification, 0::bigint AS attempts, false AS is_uncertain
        \(PostgreSQLStore.unclaimed)
        """
}
