package import CampaignCore
import GRDB
package import Storage

extension Database {
    package func readPage(
        _ page: String, _ values: [any SQLBindable], isDense: Bool, of run: StoredRun,
        _ body: (any SQLRow) throws -> Void
    ) throws {
        var numbers: [Int] = []
        try stream(page, values) { row in
            numbers.append(try row.int(0))
            try body(row)
        }
        guard let first = numbers.min(), let last = numbers.max() else { return }
        let select =
            "SELECT \(ClaimQuery.notification(of: run)) FROM notifications n WHERE n.run = ?1"
        try stream("\(select) AND n.number <= 0", [run.key], body)
        // A step may contain only a few of thousands of people, and the values of all of them would
        // be read.
        if isDense, last - first < 4 * numbers.count {
            try stream("\(select) AND n.number BETWEEN ?2 AND ?3", [run.key, first, last], body)
        } else {
            for number in numbers {
                try stream("\(select) AND n.number = ?2", [run.key, number], body)
            }
        }
    }

    package func updateDeliveries(
        of run: Int64, set assignments: String, where condition: String,
        _ values: [any SQLBindable]
    ) throws {
        var change: Int64 = 0
        let before = try prepared(
            "SELECT \(RunDigests.allOfDeliveries) FROM deliveries WHERE \(condition)", values)
        try before.forEachRow { change &-= RunDigests.delivery($0) }
        let update = try prepared(
            """
            UPDATE deliveries SET \(assignments) WHERE \(condition)
            RETURNING \(RunDigests.allOfDeliveries)
            """, values)
        try update.forEachRow { change &+= RunDigests.delivery($0) }
        try RunDigests.add(deliveries: change, to: run, self)
    }

    package func insertDeliveries(
        of run: Int64, _ statement: String, _ values: [any SQLBindable]
    ) throws {
        var change: Int64 = 0
        try prepared("\(statement) RETURNING \(RunDigests.allOfDeliveries)", values)
            .forEachRow { change &+= RunDigests.delivery($0) }
        try RunDigests.add(deliveries: change, to: run, self)
    }

    /// There is nothing to record, because the holder of the campaign's lock finds claims through
    /// the cursors.
    package func note(claimOf numbers: ClosedRange<Int>, of run: Int64, on position: Int) {}

    package func insert(
        _ records: [DeliveryRecord], of run: StoredRun, position: (Platform) throws -> Int
    ) throws {
        try write(records, requests: 0, of: run, isReplacing: false, position: position)
    }

    /// Inserts rows of deliveries or, if requested, replaces them.
    func write(
        _ records: [DeliveryRecord], requests: Int, of run: StoredRun, isReplacing: Bool,
        position: (Platform) throws -> Int
    ) throws {
        let known =
            isReplacing
            ? try NativeStatement(
                """
                SELECT \(RunDigests.allOfDeliveries) FROM deliveries
                WHERE run = ? AND platform = ? AND number = ?
                """, self) : nil
        var written: Set<Int> = []
        var change: Int64 = 0
        var batch = try RowBatch(
            into: "deliveries", RunDigests.deliveries, others: ["skip_reason"],
            onConflict: isReplacing ? Self.replacing : "", self)
        // A span is read in place, while taking a record out of an array would copy it.
        let records = records.span
        for index in records.indices {
            let position = try position(records[index].platform)
            let number = records[index].number
            if let known {
                let isFirst = written.insert(number << 6 | position).inserted
                if !isFirst { try batch.finish() }
                known.bind(run.key, at: 1)
                known.bind(Int64(position), at: 2)
                known.bind(Int64(number), at: 3)
                try known.forEachRow { change &-= RunDigests.delivery($0) }
            }
            batch.append(run.key)
            batch.append(position)
            batch.append(number)
            batch.append(DeliveryState(records[index].state).rawValue)
            batch.append(records[index].attempts)
            batch.append(records[index].isUncertain ? 1 : 0)
            batch.append(StoredTime.milliseconds(records[index].recordedAt))
            batch.append(records[index].detail.isEmpty ? nil : records[index].detail)
            batch.append(records[index].hubMessage)
            if let reason = records[index].skipReason {
                batch.append(reason.number)
                change &+= RunDigests.skipped(reason.number, position, number)
            } else {
                batch.append(nil as Int64?)
            }
            try batch.endRow()
        }
        try batch.finish()
        try RunDigests.add(
            deliveries: batch.digest &+ change, requests: requests, to: run.key, self)
    }

    private static let replacing = """
        ON CONFLICT (run, platform, number) DO UPDATE SET
            state = excluded.state, attempts = excluded.attempts,
            is_uncertain = excluded.is_uncertain, recorded = excluded.recorded,
            detail = excluded.detail, hub_message = excluded.hub_message,
            skip_reason = excluded.skip_reason
        """
}
