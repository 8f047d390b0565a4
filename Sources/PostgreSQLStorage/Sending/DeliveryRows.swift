import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage

/// Rows of `deliveries` that are written by one statement: a list of values for each column.
struct DeliveryRows {
    private var positions: [Int] = []
    private var numbers: [Int] = []
    private var states: [Int] = []
    private var attempts: [Int] = []
    private var uncertain: [Bool] = []
    private var times: [Int64] = []
    private var details: [String?] = []
    private var messages: [String?] = []

    /// Those of what is to be recorded.
    ///
    /// They are put into the order of the table: two hosts that write the same rows wait for each other, and do not end in a deadlock.
    ///
    /// - Parameters:
    ///   - records: where a delivery is named twice, the later one counts.
    ///   - position: a platform's place in the run.
    init(_ records: [DeliveryRecord], position: (Platform) throws -> Int) rethrows {
        let ordered = try records.enumerated().map { index, record in
            (position: try position(record.platform), index: index, record: record)
        }.sorted {
            ($0.position, $0.record.number, $0.index) < ($1.position, $1.record.number, $1.index)
        }
        for (index, row) in ordered.enumerated() {
            let next = index + 1 < ordered.count ? ordered[index + 1] : nil
            if next?.position == row.position, next?.record.number == row.record.number { continue }
            append(
                row.record.number, on: row.position, DeliveryState(row.record.state),
                attempts: row.record.attempts, isUncertain: row.record.isUncertain,
                at: row.record.recordedAt,
                detail: row.record.detail.isEmpty ? nil : row.record.detail,
                hubMessage: row.record.hubMessage)
        }
    }

    /// Those of people who are passed over.
    ///
    /// - Parameters:
    ///   - skipped: by number.
    ///   - position: the platform's place in the run.
    ///   - time: the current time.
    init(
        skipping skipped: [(claim: DeliveryClaim, reason: String)], on position: Int, at time: Date
    ) {
        for (claim, reason) in skipped {
            append(
                claim.number, on: position, .skipped, attempts: 0, isUncertain: false, at: time,
                detail: reason, hubMessage: nil)
        }
    }

    private mutating func append(
        _ number: Int, on position: Int, _ state: DeliveryState, attempts: Int, isUncertain: Bool,
        at time: Date, detail: String?, hubMessage: String?
    ) {
        positions.append(position)
        numbers.append(number)
        states.append(state.rawValue)
        self.attempts.append(attempts)
        uncertain.append(isUncertain)
        times.append(StoredTime.milliseconds(time))
        details.append(detail.map(StoredText.encode))
        messages.append(hubMessage.map(StoredText.encode))
    }

    /// Writes them; what was there of a delivery is replaced.
    func write(to run: StoredRun, _ db: PostgreSQLConnection) throws {
        guard !numbers.isEmpty else { return }
        let values: [any PostgreSQLBindable] = [
            run.key, positions, numbers, states, attempts, uncertain, times, details, messages,
        ]
        try db.execute(Self.writing, values)
    }

    private static let writing = """
        INSERT INTO deliveries (run, platform, number, state, attempts, is_uncertain, recorded,
            detail, hub_message)
        SELECT $1, d.platform, d.number, d.state::smallint, d.attempts, d.is_uncertain, d.recorded,
            d.detail, d.hub_message
        FROM unnest($2, $3, $4, $5, $6, $7, $8, $9)
            AS d (platform, number, state, attempts, is_uncertain, recorded, detail, hub_message)
        ON CONFLICT (run, platform, number) DO UPDATE SET
            state = excluded.state, attempts = excluded.attempts,
            is_uncertain = excluded.is_uncertain, recorded = excluded.recorded,
            detail = excluded.detail, hub_message = excluded.hub_message
        """
}
