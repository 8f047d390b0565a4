import CampaignCore

/// Removes a person from one run, in a transaction that locks the run's row.
struct PersonErasure {
    private let person: Username
    private let run: Int64
    private let number: Int
    private let isStaging: Bool
    private let reason: String?
    private let time: Int64
    private let db: any SQLConnection

    /// Finds the person in a run, and locks it until the transaction ends; nil when the run does
    /// not go to them.
    init?(of person: Username, in run: Int64, at time: Int64, _ db: any SQLConnection) throws {
        let lock = db.dialect.forUpdate
        let found = try db.row("SELECT state, reason FROM runs WHERE key = ?1 \(lock)", [run]) {
            (state: try $0.text(0), reason: try $0.optionalText(1))
        }
        guard let found, let number = try Self.number(of: person, in: run, db) else { return nil }
        // Claims decide whether something may have been sent.
        _ = try db.rows(
            "SELECT 1 FROM run_platforms WHERE run = ?1 ORDER BY position \(lock)", [run]
        ) { _ in }
        self.person = person
        self.run = run
        self.number = number
        self.isStaging = found.state == RunState.staging.rawValue
        self.reason = found.reason
        self.time = time
        self.db = db
    }

    /// nil when the run does not go to the person.
    static func number(
        of person: Username, in run: Int64, _ db: any SQLConnection
    ) throws -> Int? {
        try db.row(
            "SELECT number FROM recipients WHERE run = ?1 AND name = ?2", [run, person.text]
        ) { try $0.int(0) }
    }

    /// Returns the tables in which rows were changed; `notifications` if anything was rendered for
    /// them alone.
    func erase() throws -> Set<String> {
        var tables: Set = ["recipients"]
        // The person keeps their number, and their place in pages.
        try db.changing(.recipients([number]), of: run) {
            for erasing in RecipientPage.erasing { try db.run(erasing, [run, person.text]) }
        }
        try db.changing(.notifications([number]), of: run) {
            let payloads = try db.run(
                """
                UPDATE notifications SET type = NULL, message = NULL, texts = NULL, content = NULL,
                    sealed = NULL, language = NULL, revoked = coalesce(revoked, ?3)
                WHERE run = ?1 AND number = ?2
                """, [run, number, time])
            if payloads > 0 { tables.insert("notifications") }
        }
        // A run that is being staged has no outcomes, and is staged anew.
        if !isStaging {
            try endDeliveries()
            tables.insert("deliveries")
        }
        // The reason of a pause can be a service message about their request.
        if let reason, case let kept = untagged(reason), kept != reason {
            try db.run("UPDATE runs SET reason = ?2 WHERE key = ?1", [run, kept])
            tables.insert("runs")
        }
        return tables
    }

    /// Ends what has no outcome yet, and removes the person from outcomes.
    private func endDeliveries() throws {
        let values: [any SQLBindable] = [run, number, time, SkipReason.forgotten.rawValue]
        try db.updateDeliveries(
            of: run, set: Self.ending(db.dialect),
            where: """
                run = ?1 AND number = ?2
                    AND platform IN (SELECT position FROM run_platforms WHERE run = ?1)
                """, values + [person.text])
        try db.insertDeliveries(of: run, Self.unbegun, values)
    }

    /// Removes the person from service messages about several people, which others' outcomes
    /// repeat.
    func untag(_ places: some Sequence<(platform: Int, number: Int)>) throws {
        let place = "run = ?1 AND platform = ?2 AND number = ?3"
        for (platform, number) in places {
            let detail = try db.row(
                "SELECT detail FROM deliveries WHERE \(place)", [run, platform, number]
            ) { try $0.optionalText(0) }
            guard let detail = detail ?? nil else { continue }
            try db.updateDeliveries(
                of: run, set: "detail = ?4", where: place,
                [run, platform, number, untagged(detail)])
        }
    }

    private func untagged(_ text: String) -> String {
        String(decoding: person.untagged(Array(text.utf8)), as: UTF8.self)
    }

    private static let isSending = "state = \(DeliveryState.sending.rawValue)"

    /// Deliveries with a row, in which a service message may name the person.
    private static func ending(_ dialect: SQLDialect) -> String {
        """
        state = CASE WHEN state >= 2 THEN state
            WHEN \(isSending) OR is_uncertain THEN \(Outcome.unknown.stored)
            ELSE \(Outcome.skipped.stored) END,
        skip_reason = CASE WHEN state >= 2 OR \(isSending) OR is_uncertain THEN skip_reason
            ELSE \(SkipReason.forgotten.number) END,
        attempts = attempts + CASE WHEN \(isSending) THEN 1 ELSE 0 END,
        is_uncertain = is_uncertain OR \(isSending),
        recorded = CASE WHEN state < 2 THEN ?3 ELSE recorded END,
        detail = CASE WHEN state < 2 THEN ?4
            WHEN \(dialect.position)(detail, ?5) > 0
                THEN substr(detail, 1, \(dialect.position)(detail, ?5) - 1)
            ELSE detail END,
        hub_message = NULL\(dialect.disowned)
        """
    }

    private static let isClaimed = ClaimedRanges.isClaimed("?2")

    /// Deliveries without a row: a claimed one may have been sent.
    private static let unbegun = """
        INSERT INTO deliveries (run, platform, number, state, skip_reason, attempts, is_uncertain,
            recorded, detail)
        SELECT p.run, p.position, ?2,
            CASE WHEN \(isClaimed) THEN \(Outcome.unknown.stored)
                ELSE \(Outcome.skipped.stored) END,
            CASE WHEN \(isClaimed) THEN NULL ELSE \(SkipReason.forgotten.number) END,
            CASE WHEN \(isClaimed) THEN 1 ELSE 0 END, \(isClaimed), ?3, ?4
        FROM run_platforms p
        WHERE p.run = ?1 AND NOT EXISTS (SELECT 1 FROM deliveries d
            WHERE d.run = ?1 AND d.platform = p.position AND d.number = ?2)
        """
}
