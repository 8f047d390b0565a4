import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage

/// Rows of `deliveries` that are written together: a list of values for each column.
struct DeliveryRows {
    private var positions: [Int] = []
    private var numbers: [Int] = []
    private var states: [Int] = []
    private var attempts: [Int] = []
    private var uncertain: [Bool] = []
    private var times: [Int64] = []
    private var details: [String?] = []
    private var messages: [String?] = []
    private var members: [Int64?] = []
    private var reasons: [Int?] = []

    /// Rows of records, in the table's order, so that two hosts with the same rows do not deadlock.
    ///
    /// `member` owns those that wait; nil: nobody.
    init(
        _ records: [DeliveryRecord], of member: Int64? = nil,
        position: (Platform) throws -> Int
    ) rethrows {
        let ordered = try records.enumerated().map { index, record in
            (position: try position(record.platform), index: index, record: record)
        }.sorted {
            ($0.position, $0.record.number, $0.index) < ($1.position, $1.record.number, $1.index)
        }
        for (index, row) in ordered.enumerated() {
            let next = index + 1 < ordered.count ? ordered[index + 1] : nil
            if next?.position == row.position, next?.record.number == row.record.number { continue }
            append(row.record, on: row.position, of: member)
        }
    }

    private mutating func append(
        _ record: DeliveryRecord, on position: Int, of member: Int64?
    ) {
        positions.append(position)
        numbers.append(record.number)
        states.append(DeliveryState(record.state).rawValue)
        attempts.append(record.attempts)
        uncertain.append(record.isUncertain)
        times.append(StoredTime.milliseconds(record.recordedAt))
        details.append(record.detail.isEmpty ? nil : StoredText.encode(record.detail))
        messages.append(record.hubMessage.map(StoredText.encode))
        members.append(record.state == .waiting ? member : nil)
        reasons.append(record.skipReason?.number)
    }

    /// Writes or replaces the rows; the error asks for a repetition if somebody else was faster.
    func write(to run: StoredRun, _ db: PostgreSQLConnection) throws {
        guard numbers.count >= Self.copiedFrom else {
            return try replace(numbers.indices, of: run, db)
        }
        var (new, old): ([Int], [Int]) = ([], [])
        var start = numbers.startIndex
        while start < numbers.endIndex {
            let position = positions[start]
            let end = positions[start...].firstIndex { $0 != position } ?? numbers.endIndex
            let known = try known(among: numbers[start..<end], on: position, of: run, db)
            for place in start..<end {
                if known.contains(numbers[place]) { old.append(place) } else { new.append(place) }
            }
            start = end
        }
        try replace(old, of: run, db)
        try copy(new, to: run, db)
    }

    /// From this number on, new rows are copied: half the server's work and a third of its log, but
    /// three round trips.
    static let copiedFrom = 100

    /// The numbers that have rows already, and perhaps some others.
    private func known(
        among numbers: ArraySlice<Int>, on position: Int, of run: StoredRun,
        _ db: PostgreSQLConnection
    ) throws -> Set<Int> {
        guard let first = numbers.first, let last = numbers.last else { return [] }
        // Few others are between those that were sent together.
        let isDense = last - first < 4 * numbers.count
        let rows =
            isDense
            ? try db.rows("\(Self.known) BETWEEN $3 AND $4", [run.key, position, first, last])
            : try db.rows("\(Self.known) = ANY ($3)", [run.key, position, Array(numbers)])
        return try Set(rows.map { try $0.int(0) })
    }

    private static let known =
        "SELECT number FROM deliveries WHERE run = $1 AND platform = $2 AND number"

    private func copy(_ new: [Int], to run: StoredRun, _ db: PostgreSQLConnection) throws {
        guard !new.isEmpty else { return }
        do {
            try db.copy(into: RunPartitions.table("deliveries", of: run.key), columns: Self.columns)
            {
                copy in
                for index in new {
                    copy.beginRow(Self.columns.count)
                    copy.append(run.key)
                    copy.append(positions[index])
                    copy.append(numbers[index])
                    copy.append(int2: Int16(states[index]))
                    copy.append(attempts[index])
                    copy.append(uncertain[index])
                    copy.append(times[index])
                    copy.append(details[index])
                    copy.append(messages[index])
                    copy.append(members[index])
                    copy.append(int2: reasons[index].map(Int16.init))
                }
            }
        } catch let error as PostgreSQLError where error.kind == .uniqueViolation {
            throw PostgreSQLError(
                .serialization,
                message: "Another host has recorded outcomes of the same deliveries: \(error)")
        }
    }

    private func replace(
        _ places: some Collection<Int>, of run: StoredRun, _ db: PostgreSQLConnection
    ) throws {
        guard !places.isEmpty else { return }
        let values: [any PostgreSQLBindable] = [
            run.key, places.map { positions[$0] }, places.map { numbers[$0] },
            places.map { states[$0] }, places.map { attempts[$0] },
            places.map { uncertain[$0] }, places.map { times[$0] }, places.map { details[$0] },
            places.map { messages[$0] }, places.map { members[$0] },
            places.map { reasons[$0] },
        ]
        try db.execute(Self.replacing, values)
    }

    private static let columns = [
        "run", "platform", "number", "state", "attempts", "is_uncertain", "recorded", "detail",
        "hub_message", "member", "skip_reason",
    ]

    private static let replacing = """
        INSERT INTO deliveries (\(columns.joined(separator: ", ")))
        SELECT $1, d.platform, d.number, d.state::smallint, d.attempts, d.is_uncertain, d.recorded,
            d.detail, d.hub_message, d.member, d.skip_reason::smallint
        FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS d (platform, number, state,
            attempts, is_uncertain, recorded, detail, hub_message, member, skip_reason)
        ON CONFLICT (run, platform, number) DO UPDATE SET
            state = excluded.state, attempts = excluded.attempts,
            is_uncertain = excluded.is_uncertain, recorded = excluded.recorded,
            detail = excluded.detail, hub_message = excluded.hub_message,
            member = excluded.member, skip_reason = excluded.skip_reason
        """
}
