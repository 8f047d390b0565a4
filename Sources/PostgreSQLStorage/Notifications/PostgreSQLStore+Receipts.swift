package import CampaignCore
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    /// The most runs in one statement: planning grows faster than the number of partitions.
    private static let receiptRuns = 16

    package func record(_ receipts: [Receipt]) async throws {
        guard !receipts.isEmpty else { return }
        // In the order of places, so that no two hosts wait for each other.
        let whole = FirstReceipts(receipts).inOrder
        let runs = whole.map(\.run).reduce(into: [Int64]()) { runs, run in
            if runs.last != run { runs.append(run) }
        }
        try await write { db in
            try TransactionLock.receipts.share(runs, db)
            for first in stride(from: 0, to: runs.count, by: Self.receiptRuns) {
                let some = Array(runs[first..<min(first + Self.receiptRuns, runs.count)])
                let part = whole.filter { (some[0]...some[some.count - 1]).contains($0.run) }
                try db.execute(
                    Self.writing,
                    [
                        part.map(\.run), part.map(\.number), part.map(\.fetched),
                        part.map(\.read), some,
                    ])
            }
        }
    }

    /// Keeps the first time, rewrites nothing, and skips people whose deliveries were deleted.
    private static let writing = """
        INSERT INTO receipts (run, number, fetched, read)
        SELECT u.run, u.number, u.fetched, u.read
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
            AS u (run, number, fetched, read)
        JOIN runs ON runs.key = u.run AND runs.deliveries_deleted IS NULL
        WHERE EXISTS (SELECT 1 FROM recipients r
            WHERE r.run = u.run AND r.number = u.number AND r.run = ANY($5::bigint[]))
        ORDER BY u.run, u.number
        ON CONFLICT (run, number) DO UPDATE SET
            fetched = coalesce(receipts.fetched, excluded.fetched),
            read = coalesce(receipts.read, excluded.read)
            WHERE (receipts.fetched IS NULL AND excluded.fetched IS NOT NULL)
                OR (receipts.read IS NULL AND excluded.read IS NOT NULL)
        """
}

/// The first receipts of each person, in one row, since a statement cannot write a row twice.
private struct FirstReceipts {
    struct Row {
        let run: Int64
        let number: Int
        var fetched: Int64?
        var read: Int64?
    }

    private var rows: [ReceiptPlace: Row] = [:]

    init(_ receipts: [Receipt]) {
        for receipt in receipts {
            let place = receipt.place
            var row = rows[place] ?? Row(run: place.run, number: place.number)
            let time = StoredTime.milliseconds(receipt.time)
            switch receipt.kind {
            case .fetched: row.fetched = row.fetched ?? time
            case .read: row.read = row.read ?? time
            }
            rows[place] = row
        }
    }

    var inOrder: [Row] {
        rows.values.sorted { ($0.run, $0.number) < ($1.run, $1.number) }
    }
}
