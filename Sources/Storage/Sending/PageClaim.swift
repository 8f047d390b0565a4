package import CampaignCore
package import FoundationEssentials

/// Claims the next people of a run on a platform, each of them only once.
package struct PageClaim: Sendable {
    /// Checking fewer people at a time would save nothing.
    private static let leastAtOnce = 1_000

    package let run: RunID
    package let platform: Platform
    package let wave: Int?
    package let limit: Int
    package let cap: FrequencyCap?
    package let time: Date
    package let keyring: PayloadKeyring

    package init(
        run: RunID, platform: Platform, wave: Int?, limit: Int, cap: FrequencyCap?, time: Date,
        keyring: PayloadKeyring
    ) {
        self.run = run
        self.platform = platform
        self.wave = wave
        self.limit = limit
        self.cap = cap
        self.time = time
        self.keyring = keyring
    }

    /// Claims in one transaction that also reads everything the claim depends on; other claims wait
    /// for it.
    package func claim(_ db: any SQLConnection) throws -> ClaimedPage {
        let stored = try StoredRun(of: run, db)
        let (cursor, position) = try lock(stored, db)
        return try choose(from: cursor, of: stored, on: position, db) { numbers in
            try db.note(claimOf: numbers, of: stored.key, on: position)
        }
    }

    /// Locks the cursor.
    ///
    /// With a cap, another lock is taken first, before any other lock of the transaction, so that
    /// no two claims wait for each other.
    package func lock(
        _ stored: StoredRun, _ db: any SQLConnection
    ) throws -> (cursor: ClaimCursor, position: Int) {
        // Two runs must not both use the last push that a person may get.
        if cap != nil {
            try db.lock(.pushes, "\(platform.rawValue) \(stored.hub)", isShared: false)
        }
        return try ClaimCursor.locked(wave: wave, of: stored, on: platform, id: run, db)
    }

    /// Chooses the people, records those who are skipped, and moves the cursor; `keep` records the
    /// claim.
    package func choose(
        from cursor: ClaimCursor, of stored: StoredRun, on position: Int, _ db: any SQLConnection,
        keep: (ClosedRange<Int>) throws -> Void
    ) throws -> ClaimedPage {
        var choice = ClaimChoice()
        // Usually few people have reached the cap, but there may be thousands in a row, and other
        // processes are waiting.
        var left = limit
        if cap != nil {
            left = min(TransactionLimit.rows, max(Self.leastAtOnce, 20 * limit))
        }
        var (wanted, open) = (limit, cursor.open)
        while choice.claims.count < limit, left > 0, !open.isEmpty {
            wanted = min(wanted, left)
            let candidates = try people(wanted, in: open, of: stored, on: position, db)
            try decide(on: candidates, of: stored, &choice, db)
            guard candidates.count == wanted, let last = candidates.last?.number else { break }
            left -= wanted
            wanted = max(4 * (limit - choice.claims.count), Self.leastAtOnce)
            open = last..<open.upperBound
        }
        if !choice.skipped.isEmpty {
            try db.insert(choice.skipped, of: stored) { _ in position }
        }
        let page = ClaimedPage(claims: choice.claims, skipped: choice.skipped.count)
        guard let last = choice.last else { return page }
        try keep((cursor.open.lowerBound + 1)...last)
        try cursor.advance(
            to: last, of: stored.key, on: position, at: StoredTime.milliseconds(time), db)
        return page
    }

    /// The next claimable people after the lower bound, up to the upper one.
    package func people(
        _ limit: Int, in numbers: Range<Int>, of stored: StoredRun, on position: Int,
        _ db: any SQLConnection
    ) throws -> [DeliveryClaim] {
        try NumberSteps.collect(numbers, limit: limit) { step, limit in
            try ClaimQuery.fetch(
                PlatformDeliveries.claimable,
                [stored.key, position, step.lowerBound, step.upperBound, limit], isDense: true,
                of: stored, on: platform, keyring: keyring, db)
        }
    }

    /// Goes through people in order until the page is full; skips people with a revoked payload,
    /// people at the cap, and people who need no fallback.
    package func decide(
        on candidates: [DeliveryClaim], of stored: StoredRun, _ choice: inout ClaimChoice,
        _ db: any SQLConnection
    ) throws {
        let people = candidates.map(\.username)
        let counts = try cap.map { cap in
            try PushCounts(
                of: people, on: platform, at: stored.hub, besides: stored,
                since: cap.start(before: time), db)
        }
        let need = try FallbackNeed(of: stored, among: people, db)
        for candidate in candidates where choice.claims.count < limit {
            var reason: SkipReason? =
                candidate.isRevoked ? .revoked : need.objection(to: candidate.username)
            var detail = reason?.rawValue
            if reason == nil, let cap, let counts, counts[candidate.username] >= cap.pushes {
                (reason, detail) = (.capped, SkipReason.capped.detail("\(cap)"))
            }
            guard let reason, let detail else {
                choice.claims.append(candidate)
                continue
            }
            choice.skipped.append(
                DeliveryRecord(
                    number: candidate.number, platform: platform, state: .ended(.skipped),
                    skipReason: reason, attempts: 0, isUncertain: false, detail: detail,
                    hubMessage: nil, recordedAt: time))
        }
    }
}

/// The people of a page, and the people who are skipped permanently.
package struct ClaimChoice: Sendable {
    package fileprivate(set) var claims: [DeliveryClaim] = []
    package fileprivate(set) var skipped: [DeliveryRecord] = []

    package init() {}

    /// The last recipient who was claimed or skipped.
    fileprivate var last: Int? {
        [claims.last?.number, skipped.last?.number].compactMap(\.self).max()
    }
}
