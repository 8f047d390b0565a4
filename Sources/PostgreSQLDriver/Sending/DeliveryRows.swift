import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage

/// Rows of `deliveries` that are written together.
struct DeliveryRows {
    private struct Row {
        let position: Int
        let record: DeliveryRecord
        let member: Int64?

        var number: Int { record.number }
        var state: Int { DeliveryState(record.state).rawValue }
        var time: Int64 { StoredTime.milliseconds(record.recordedAt) }
        var detail: String? { record.detail.isEmpty ? nil : StoredText.encode(record.detail) }
        var message: String? { record.hubMessage.map(StoredText.encode) }
        var reason: Int? { record.skipReason?.number }
    }

    private var rows: [Row] = []

    /// Creates the rows of records in the table's order, so that two hosts with the same rows do
    /// not deadlock.
    ///
    /// `member` owns waiting deliveries; if it is nil, nobody does.
    init(
        _ records: [DeliveryRecord], of member: Int64? = nil,
        position: (Platform) throws -> Int
    ) rethrows {
        let ordered = try records.map { record in
            Row(
                position: try position(record.platform), record: record,
                member: record.state == .waiting ? member : nil)
        }.sorted { ($0.position, $0.number) < ($1.position, $1.number) }
        rows.reserveCapacity(ordered.count)
        for row in ordered {
            // If there are several records for a delivery, the last one is used.
            if let last = rows.last, last.position == row.position, last.number == row.number {
                rows.removeLast()
            }
            rows.append(row)
        }
    }

    /// Writes or replaces the rows; if another host was faster, throws an error that makes the
    /// transaction run again.
    func write(to run: Int64, _ db: PostgreSQLConnection) throws {
        guard rows.count >= Self.copiedFrom else { return try replace(rows, of: run, db) }
        var (new, old): ([Row], [Row]) = ([], [])
        var rest = rows[...]
        while let position = rest.first?.position {
            let some = rest.prefix { $0.position == position }
            rest = rest.dropFirst(some.count)
            let known = try known(among: some.map(\.number), on: position, of: run, db)
            for row in some {
                if known.contains(row.number) { old.append(row) } else { new.append(row) }
            }
        }
        try replace(old, of: run, db)
        try copy(new, to: run, db)
    }

    /// From this number of rows on, new rows are copied, which needs half as much work at the
    /// server and a third of the log, but three round trips.
    static let copiedFrom = 100

    /// The numbers that already have rows, and possibly some others.
    private func known(
        among numbers: [Int], on position: Int, of run: Int64, _ db: PostgreSQLConnection
    ) throws -> Set<Int> {
        guard let first = numbers.first, let last = numbers.last else { return [] }
        // Deliveries that are sent together have few others between them.
        let isDense = last - first < 4 * numbers.count
        let rows =
            isDense
            ? try db.rows("\(Self.known) BETWEEN $3 AND $4", [run, position, first, last])
            : try db.rows("\(Self.known) = ANY ($3)", [run, position, numbers])
        return try Set(rows.map { try $0.int(0) })
    }

    private static let known =
        "SELECT number FROM deliveries WHERE run = $1 AND platform = $2 AND number"

    private func copy(_ rows: [Row], to run: Int64, _ db: PostgreSQLConnection) throws {
        guard !rows.isEmpty else { return }
        let table = RunPartitions.table("deliveries", of: run)
        do {
            try db.copy(into: table, columns: Self.columns) { copy in
                for row in rows {
                    copy.beginRow(Self.columns.count)
                    copy.append(run)
                    copy.append(row.position)
                    copy.append(row.number)
                    copy.append(int2: Int16(row.state))
                    copy.append(row.record.attempts)
                    copy.append(row.record.isUncertain)
                    copy.append(row.time)
                    copy.append(row.detail)
                    copy.append(row.message)
                    copy.append(row.member)
                    copy.append(int2: row.reason.map(Int16.init))
                }
            }
        } catch let error as PostgreSQLError where error.kind == .uniqueViolation {
            throw PostgreSQLError(
                .serialization,
                message: "Another host has recorded outcomes of the same deliveries: \(error)")
        }
    }

    private func replace(_ rows: [Row], of run: Int64, _ db: PostgreSQLConnection) throws {
        guard !rows.isEmpty else { return }
        try db.execute(
            Self.replacing,
            [
                run, rows.map(\.position), rows.map(\.number), rows.map(\.state),
                rows.map(\.record.attempts), rows.map(\.record.isUncertain), rows.map(\.time),
                rows.map(\.detail), rows.map(\.message), rows.map(\.member), rows.map(\.reason),
            ])
    }

    private static let columns = [
        "run", "platform", "number", "state", "attempts", "is_uncertain", "recorded", "detail",
        "hub_message", "member", "skip_reason",
    ]

    private static let replacing = """
        INSERT INTO deliveries (\(columns.joined(separator: ", ")))
        SELECT $1, d.platform, d.number, d.state::smallint, d.attempts, d.is_uncertain, d.recorded,
            d.detail, d.hub_message, d.member, d.skip_reason::smallint
        FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            AS d (\(columns.dropFirst().joined(separator: ", ")))
        ON CONFLICT (run, platform, number) DO UPDATE SET
            \(columns.dropFirst(3).map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        """
}
