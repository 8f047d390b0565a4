import CampaignCore
import PostgreSQLClient
import Storage

/// Removes a person from one run, in a transaction that locks the run's row.
struct PersonErasure {
    private let person: Username
    private let run: Int64
    private let number: Int
    private let isStaging: Bool
    private let reason: String?
    private let time: Int64
    private let db: PostgreSQLConnection
    /// The changed tables or partitions, whose old rows the server keeps for a while.
    private(set) var tables: Set<String> = []

    /// Finds the person in a run, and locks it until the transaction ends; nil when the run does
    /// not go to them.
    init?(
        of person: Username, in run: Int64, at time: Int64, _ db: PostgreSQLConnection
    ) throws {
        let locked = try db.row("SELECT state, reason FROM runs WHERE key = $1 FOR UPDATE", [run])
        let found = try Self.number(of: person, in: run, db)
        guard let locked, let found else { return nil }
        // Claims decide whether something may have been sent.
        _ = try db.rows(
            "SELECT 1 FROM run_platforms WHERE run = $1 ORDER BY position FOR UPDATE", [run])
        self.person = person
        self.run = run
        self.number = found
        self.isStaging = try locked.text(0) == RunState.staging.rawValue
        self.reason = try locked.optionalText(1)
        self.time = time
        self.db = db
    }

    /// nil when the run does not go to the person.
    static func number(
        of person: Username, in run: Int64, _ db: PostgreSQLConnection
    ) throws -> Int? {
        try db.row(
            "SELECT number FROM recipients WHERE run = $1 AND name = $2", [run, person.text])?
            .int(0)
    }

    /// Removes the name; the person keeps their number, and their place in pages.
    mutating func eraseName() throws {
        let before = try db.row(
            """
            SELECT name FROM recipients WHERE run = $1 AND name < $2 AND name <> ''
            ORDER BY name DESC LIMIT 1
            """, [run, person.text])?.text(0)
        try change(
            "UPDATE recipients SET name = '', place = $3 WHERE run = $1 AND number = $2",
            [run, number, before ?? ""])
        // Earlier forgotten people after this one now take the same place.
        try change(
            "UPDATE recipients SET place = $3 WHERE run = $1 AND place = $2",
            [run, person.text, before ?? ""])
    }

    mutating func erasePayload() throws -> Bool {
        try change(
            """
            UPDATE notifications SET type = NULL, message = NULL, texts = NULL, content = NULL,
                sealed = NULL, language = NULL, revoked = coalesce(revoked, $3)
            WHERE run = $1 AND number = $2
            """, [run, number, time]) > 0
    }

    /// Ends what has no outcome yet, and removes the person from outcomes.
    mutating func endDeliveries() throws {
        // A run that is being staged has no outcomes, and is staged anew.
        guard !isStaging else { return }
        try change(
            Self.ended, [run, number, time, SkipReason.forgotten.rawValue, person.text])
        try change(Self.unbegun, [run, number, time, SkipReason.forgotten.rawValue])
    }

    /// Removes the person from the reason of a pause, which can be a service message about their
    /// request.
    mutating func untagReason() throws {
        guard let reason else { return }
        let kept = Self.untagged(person, reason)
        guard kept != reason else { return }
        try change("UPDATE runs SET reason = $2 WHERE key = $1", [run, kept])
    }

    /// Removes the person from service messages about several people, which others' outcomes
    /// repeat.
    mutating func untag(_ places: ArraySlice<(platform: Int, number: Int)>) throws {
        let arrays = (places.map(\.platform), places.map(\.number))
        var changes: [(platform: Int, number: Int, detail: String)] = []
        for row in try db.rows(Self.details, [run, arrays.0, arrays.1]) {
            let detail = try row.text(2)
            let kept = Self.untagged(person, detail)
            if kept != detail { changes.append((try row.int(0), try row.int(1), kept)) }
        }
        try change(
            Self.untagging,
            [run, changes.map(\.platform), changes.map(\.number), changes.map(\.detail)])
    }

    /// Tags do not contain the encoding of U+0000.
    private static func untagged(_ person: Username, _ text: String) -> String {
        String(decoding: person.untagged(Array(text.utf8)), as: UTF8.self)
    }

    @discardableResult
    private mutating func change(
        _ statement: String, _ values: [any PostgreSQLBindable]
    ) throws -> Int {
        let rows = try db.rows("\(statement) RETURNING \(Self.table)", values)
        for row in rows { tables.insert(try row.text(0)) }
        return rows.count
    }

    /// The table or partition of a changed row.
    private static let table = "tableoid::regclass::text"

    /// Deliveries with a row, in which a service message may name the person.
    private static let ended = """
        UPDATE deliveries SET
            state = CASE WHEN state >= 2 THEN state
                WHEN state = \(DeliveryState.sending.rawValue) OR is_uncertain
                    THEN \(Outcome.unknown.stored)
                ELSE \(Outcome.skipped.stored) END,
            attempts = attempts
                + CASE WHEN state = \(DeliveryState.sending.rawValue) THEN 1 ELSE 0 END,
            is_uncertain = is_uncertain OR state = \(DeliveryState.sending.rawValue),
            recorded = CASE WHEN state < 2 THEN $3 ELSE recorded END,
            detail = CASE WHEN state < 2 THEN $4
                WHEN strpos(detail, $5) > 0 THEN left(detail, strpos(detail, $5) - 1)
                ELSE detail END,
            hub_message = NULL, member = NULL
        WHERE run = $1 AND number = $2
            AND platform IN (SELECT position FROM run_platforms WHERE run = $1)
        """

    private static let isClaimed = ClaimedRanges.isClaimed("$2")

    /// Deliveries without a row: a claimed one may have been sent.
    private static let unbegun = """
        INSERT INTO deliveries (run, platform, number, state, attempts, is_uncertain, recorded,
            detail)
        SELECT p.run, p.position, $2,
            CASE WHEN \(isClaimed) THEN \(Outcome.unknown.stored)
                ELSE \(Outcome.skipped.stored) END,
            CASE WHEN \(isClaimed) THEN 1 ELSE 0 END, \(isClaimed), $3, $4
        FROM run_platforms p
        WHERE p.run = $1 AND NOT EXISTS (SELECT 1 FROM deliveries d
            WHERE d.run = $1 AND d.platform = p.position AND d.number = $2)
        """

    private static let details = """
        SELECT d.platform, d.number, d.detail
        FROM unnest($2::bigint[], $3::bigint[]) AS u (platform, number)
        JOIN deliveries d ON d.run = $1 AND d.platform = u.platform AND d.number = u.number
        WHERE d.detail IS NOT NULL
        """

    private static let untagging = """
        UPDATE deliveries SET detail = u.detail
        FROM unnest($2::bigint[], $3::bigint[], $4::text[]) AS u (platform, number, detail)
        WHERE run = $1 AND deliveries.platform = u.platform AND deliveries.number = u.number
        """
}
