package import CampaignCore

extension RelationalStore {
    package func record(_ receipts: [Receipt]) async throws {
        guard !receipts.isEmpty else { return }
        let runs = Receipt.rows(receipts)
        try await update { db in
            for (run, _) in runs { try db.lock(.receipts, "\(run)", isShared: true) }
            for (run, rows) in runs {
                // Keeps the first time without rewriting it, and skips people whose deliveries were
                // deleted.
                try db.run(
                    """
                    INSERT INTO receipts AS known (run, number, fetched, read)
                    SELECT ?1, u.number, u.fetched, u.read
                    FROM (SELECT CAST(value ->> 0 AS bigint) AS number,
                        CAST(value ->> 1 AS bigint) AS fetched, CAST(value ->> 2 AS bigint) AS read
                        FROM \(db.dialect.elements("?2"))) u
                    WHERE EXISTS (SELECT 1 FROM runs WHERE key = ?1 AND deliveries_deleted IS NULL)
                        AND EXISTS
                            (SELECT 1 FROM recipients r WHERE r.run = ?1 AND r.number = u.number)
                    ORDER BY u.number
                    ON CONFLICT (run, number) DO UPDATE SET
                        fetched = coalesce(known.fetched, excluded.fetched),
                        read = coalesce(known.read, excluded.read)
                        WHERE (known.fetched IS NULL AND excluded.fetched IS NOT NULL)
                            OR (known.read IS NULL AND excluded.read IS NOT NULL)
                    """, [run, rows])
            }
        }
    }
}

extension Receipt {
    /// The rows of each run as JSON, in the order of their positions, so that no two hosts wait for
    /// each other.
    ///
    /// A person's first receipts are combined in one row, because a statement cannot write a row
    /// twice.
    fileprivate static func rows(_ receipts: [Receipt]) -> [(run: Int64, rows: String)] {
        var times: [ReceiptKey: (fetched: Int64?, read: Int64?)] = [:]
        for receipt in receipts {
            let time = StoredTime.milliseconds(receipt.time)
            let first = times[receipt.place] ?? (nil, nil)
            times[receipt.place] =
                switch receipt.kind {
                case .fetched: (first.fetched ?? time, first.read)
                case .read: (first.fetched, first.read ?? time)
                }
        }
        return Dictionary(grouping: times, by: \.key.run).sorted { $0.key < $1.key }.map {
            run, people in
            let rows = people.sorted { $0.key.number < $1.key.number }.map { place, time in
                let times = [time.fetched, time.read].map { $0.map(String.init) ?? "null" }
                return "[\(place.number),\(times[0]),\(times[1])]"
            }
            return (run, "[\(rows.joined(separator: ","))]")
        }
    }
}
