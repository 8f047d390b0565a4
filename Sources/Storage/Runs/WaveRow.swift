package import CampaignCore

package enum WaveRow {
    /// The waves in order, numbered from 1 without a gap.
    package static func all(of run: Int64, _ db: any SQLConnection) throws -> [RunWave] {
        try db.rows(
            "SELECT first, last, number, turn, zones FROM run_waves WHERE run = ?1 ORDER BY number",
            [run]
        ) { row in
            RunWave(
                number: try row.int(2), recipients: try recipients(row),
                windows: try StoredJSON.decode(row.text(3)),
                zones: try StoredJSON.decode(row.text(4)))
        }
    }

    package static func recipients(
        of run: Int64, _ db: any SQLConnection
    ) throws -> [ClosedRange<Int>] {
        try db.rows(
            "SELECT first, last FROM run_waves WHERE run = ?1 ORDER BY number", [run], recipients)
    }

    private static func recipients(_ row: any SQLRow) throws -> ClosedRange<Int> {
        let (first, last) = (try row.int(0), try row.int(1))
        guard 1 <= first, first <= last else { throw DamagedValue() }
        return first...last
    }

    /// Writes the waves of a run that has none, in order; call before the audience is written.
    static func insert(_ waves: [RunWave], of run: StoredRun, _ db: any SQLConnection) throws {
        for wave in waves {
            try db.run(
                """
                INSERT INTO run_waves (run, number, first, last, turn, zones)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                """,
                [
                    run.key, wave.number, wave.recipients.lowerBound, wave.recipients.upperBound,
                    try StoredJSON.encode(wave.windows), try StoredJSON.encode(wave.zones),
                ])
        }
        try db.note(hasWaves: true, of: run)
    }

    static func remove(of run: StoredRun, _ db: any SQLConnection) throws {
        guard run.hasWaves else { return }
        try removeRows(of: run.key, db)
        try db.note(hasWaves: false, of: run)
    }

    package static func removeRows(of run: Int64, _ db: any SQLConnection) throws {
        for table in ["wave_claims", "run_waves"] {
            try db.run("DELETE FROM \(table) WHERE run = ?1", [run])
        }
    }
}
