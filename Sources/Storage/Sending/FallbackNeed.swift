import CampaignCore

/// Which people no longer need a fallback, because they have fetched, or their payload was revoked,
/// since staging.
struct FallbackNeed {
    private var objections: [String: SkipReason] = [:]

    /// Empty for a run that is not a fallback, or if the run that it follows no longer exists.
    init(of run: StoredRun, among people: [Username], _ db: any SQLConnection) throws {
        guard !people.isEmpty, let id = run.occurrence.fallbackOf else { return }
        let parent = try db.row("SELECT key FROM runs WHERE id = ?1", [id.text]) { try $0.int64(0) }
        guard let parent else { return }
        let settled = try db.rows(
            Self.settled(db.dialect), [parent, StoredJSON.encode(people.map(\.text))]
        ) { row in (name: try row.text(0), hasFetched: try row.bool(1)) }
        for person in settled { objections[person.name] = person.hasFetched ? .fetched : .revoked }
    }

    func objection(to username: Username) -> SkipReason? { objections[username.text] }

    private static func settled(_ dialect: SQLDialect) -> String {
        """
        SELECT r.name, f.number IS NOT NULL
        FROM \(dialect.texts("?2")) n
        \(dialect.lookUp("recipients", as: "r", where: "r.run = ?1 AND r.name = n.value"))
        \(dialect.lookUp(
            "receipts", as: "f", isOptional: true,
            where: "f.run = ?1 AND f.number = r.number AND f.fetched IS NOT NULL"))
        \(dialect.lookUp(
            "notifications", as: "v", isOptional: true,
            where: "v.run = ?1 AND v.number = r.number AND v.revoked IS NOT NULL"))
        WHERE f.number IS NOT NULL OR v.number IS NOT NULL
        """
    }
}
