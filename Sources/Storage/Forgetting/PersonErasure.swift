import CampaignCore

/// Removes a person from one run, in a transaction that locks the run's row.
struct PersonErasure {
    private let person: Username
    private let run: Int64
    private let number: Int
    private let isStaging: Bool
    private let hasWaves: Bool
    private let platforms: [(position: Int, claimed: Int)]
    private let reason: String?
    private let time: Int64
    private let db: any SQLConnection

    /// Finds the person in a run and locks the run until the transaction ends; nil if the person is
    /// not in the run.
    init?(of person: Username, in run: Int64, at time: Int64, _ db: any SQLConnection) throws {
        let lock = db.dialect.forUpdate
        let found = try db.row(
            "SELECT state, reason, has_waves FROM runs WHERE key = ?1 \(lock)", [run]
        ) { (state: try $0.text(0), reason: try $0.optionalText(1), hasWaves: try $0.bool(2)) }
        guard let found, let number = try Self.number(of: person, in: run, db) else { return nil }
        // Claims determine whether something may have been sent.
        platforms = try db.rows(
            """
            SELECT position, claimed FROM run_platforms WHERE run = ?1 ORDER BY position \(lock)
            """, [run]
        ) { (position: try $0.int(0), claimed: try $0.int(1)) }
        self.person = person
        self.run = run
        self.number = number
        self.isStaging = found.state == RunState.staging.rawValue
        self.hasWaves = found.hasWaves
        self.reason = found.reason
        self.time = time
        self.db = db
    }

    static func number(
        of person: Username, in run: Int64, _ db: any SQLConnection
    ) throws -> Int? {
        try db.row(
            "SELECT number FROM recipients WHERE run = ?1 AND name = ?2", [run, person.text]
        ) { try $0.int(0) }
    }

    /// Returns the changed tables, including `notifications` if the person had a personal
    /// notification.
    func erase() throws -> Set<String> {
        var tables: Set = ["recipients"]
        // The person keeps their number and their place in pages.
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
        // A run that is being staged has no outcomes, and will be staged again.
        if !isStaging {
            try endDeliveries()
            tables.insert("deliveries")
        }
        // The reason for a pause can be a message from a service about the person's request.
        if let reason, case let kept = untagged(reason), kept != reason {
            try db.run("UPDATE runs SET reason = ?2 WHERE key = ?1", [run, kept])
            tables.insert("runs")
        }
        return tables
    }

    /// Removes the person's name from service messages, then ends open deliveries.
    private func endDeliveries() throws {
        let position = "\(db.dialect.position)(detail, ?3)"
        try db.updateDeliveries(
            of: run,
            set: """
                detail = CASE WHEN \(position) > 0 THEN substr(detail, 1, \(position) - 1)
                    ELSE detail END,
                hub_message = NULL\(db.dialect.disowned)
                """,
            where: """
                run = ?1 AND number = ?2
                    AND platform IN (SELECT position FROM run_platforms WHERE run = ?1)
                """, [run, number, person.text])
        let ending = PlatformDeliveries.Ending(
            outcome: .skipped, reason: .forgotten, detail: SkipReason.forgotten.rawValue, time: time
        )
        for (position, claimed) in platforms {
            let ranges = try ClaimedRanges(
                of: run, hasWaves: hasWaves, on: position, claimed: claimed, db)
            try PlatformDeliveries.end(
                number...number, of: run, on: position, claimed: ranges.last(inWaveOf: number),
                as: ending, db)
        }
    }

    /// Removes the person from service messages about several people, which are repeated in the
    /// outcomes of the others.
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
}
