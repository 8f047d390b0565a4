import CampaignCore
import PostgreSQLClient
import Storage

enum WaveRow {
    /// Writes the waves of a run that has none, in order, before its audience.
    static func insert(_ waves: [RunWave], of run: StoredRun, _ db: PostgreSQLConnection) throws {
        let columns = ["run", "number", "first", "last", "turn", "zones"]
        let rows = try waves.map { wave in
            (
                wave, turn: try StoredJSON.encode(wave.turn),
                zones: try StoredJSON.encode(wave.zones)
            )
        }
        _ = try db.copy(into: "run_waves", columns: columns) { copy in
            for (wave, turn, zones) in rows {
                copy.beginRow(columns.count)
                copy.append(run.key)
                copy.append(wave.number)
                copy.append(wave.recipients.lowerBound)
                copy.append(wave.recipients.upperBound)
                copy.append(turn)
                copy.append(zones)
            }
        }
        try setWaves(true, of: run, db)
    }

    static func remove(of run: StoredRun, _ db: PostgreSQLConnection) throws {
        guard run.hasWaves else { return }
        for table in ["wave_claims", "run_waves"] {
            try db.execute("DELETE FROM \(table) WHERE run = $1", [run.key])
        }
        try setWaves(false, of: run, db)
    }

    private static func setWaves(
        _ hasWaves: Bool, of run: StoredRun, _ db: PostgreSQLConnection
    ) throws {
        try db.execute("UPDATE runs SET has_waves = $1 WHERE key = $2", [hasWaves, run.key])
    }

    static func all(of run: Int64, _ db: PostgreSQLConnection) throws -> [RunWave] {
        try db.rows(
            """
            SELECT number, first, last, turn, zones FROM run_waves WHERE run = $1 ORDER BY number
            """, [run]
        ).map { row in
            RunWave(
                number: try row.int(0), recipients: try recipients(row, at: 1),
                turn: try StoredJSON.decode(row.text(3)), zones: try StoredJSON.decode(row.text(4)))
        }
    }

    /// In order, from 1 without a gap.
    static func recipients(
        of run: Int64, _ db: PostgreSQLConnection
    ) throws -> [ClosedRange<Int>] {
        try db.rows("SELECT first, last FROM run_waves WHERE run = $1 ORDER BY number", [run])
            .map { try recipients($0, at: 0) }
    }

    private static func recipients(
        _ row: PostgreSQLRow, at column: Int
    ) throws -> ClosedRange<Int> {
        let (first, last) = (try row.int(column), try row.int(column + 1))
        guard 1 <= first, first <= last else { throw DamagedValue() }
        return first...last
    }
}
