import CampaignCore
import GRDB
import Storage

enum WaveRow {
    private static let columns = ["run", "number", "first", "last", "turn", "zones"]

    /// Writes the waves of a run that has none, in order, before its audience.
    static func insert(_ waves: [RunWave], of run: StoredRun, _ db: Database) throws {
        var batch = try RowBatch(into: "run_waves", columns, db)
        for wave in waves {
            batch.append(run.key)
            batch.append(wave.number)
            batch.append(wave.recipients.lowerBound)
            batch.append(wave.recipients.upperBound)
            batch.append(try StoredJSON.encode(wave.turn))
            batch.append(try StoredJSON.encode(wave.zones))
            try batch.endRow()
        }
        try batch.finish()
        try setDigests(batch.digest, ofClaims: 0, of: run, db)
    }

    static func remove(of run: StoredRun, _ db: Database) throws {
        guard run.hasWaves else { return }
        try removeRows(of: run.key, db)
        try setDigests(nil, ofClaims: nil, of: run, db)
    }

    static func removeRows(of run: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM wave_claims WHERE run = ?", arguments: [run])
        try db.execute(sql: "DELETE FROM run_waves WHERE run = ?", arguments: [run])
    }

    /// The sums of digests: of rows in `run_waves`, nil without waves, and of rows in `wave_claims`
    /// on each platform.
    private static func setDigests(
        _ waves: Int64?, ofClaims claims: Int64?, of run: StoredRun, _ db: Database
    ) throws {
        try db.execute(
            sql: "UPDATE runs SET waves_digest = ? WHERE key = ?", arguments: [waves, run.key])
        try RowSeal.renew(run: run.key, db)
        for platform in try RunPlatform.all(of: run, db) {
            try db.execute(
                sql: "UPDATE run_platforms SET waves_digest = ? WHERE run = ? AND position = ?",
                arguments: [claims, run.key, platform.position])
            try RowSeal.renew(platform: platform.position, of: run.key, db)
        }
    }

    static func all(of run: Int64, _ db: Database) throws -> [RunWave] {
        let query = try NativeStatement(selection, db)
        query.bind(run, at: 1)
        var waves: [RunWave] = []
        try query.forEachRow { row in
            waves.append(
                RunWave(
                    number: row.integer(1), recipients: try recipients(row),
                    turn: try StoredJSON.decode(row.requiredText(4)),
                    zones: try StoredJSON.decode(row.requiredText(5))))
        }
        return waves
    }

    /// In order, from 1 without a gap.
    static func recipients(of run: Int64, _ db: Database) throws -> [ClosedRange<Int>] {
        let query = try NativeStatement(
            "SELECT run, number, first, last FROM run_waves WHERE run = ? ORDER BY number", db)
        query.bind(run, at: 1)
        var waves: [ClosedRange<Int>] = []
        try query.forEachRow { waves.append(try recipients($0)) }
        return waves
    }

    private static func recipients(_ row: NativeRow) throws -> ClosedRange<Int> {
        let (first, last) = (row.integer(2), row.integer(3))
        guard 1 <= first, first <= last else { throw DatabaseError.damaged }
        return first...last
    }

    private static let selection =
        "SELECT \(columns.joined(separator: ", ")) FROM run_waves WHERE run = ? ORDER BY number"

    // MARK: Damage

    /// Compares a run's waves and claims with their digests.
    static func check(of run: Int64, _ digest: Int64?, count: Int, _ db: Database) throws {
        let query = try NativeStatement(selection, db)
        query.bind(run, at: 1)
        var (number, last, sum): (Int, Int, Int64) = (0, 0, 0)
        try query.forEachRow { row in
            let recipients = try recipients(row)
            number += 1
            // Nobody in a gap would be sent to.
            guard row.integer(1) == number, recipients.lowerBound == last + 1 else {
                throw DatabaseError.damaged
            }
            last = recipients.upperBound
            sum &+= row.digest(Int32(columns.count))
        }
        guard digest == nil ? number == 0 : digest == sum && last == count else {
            throw DatabaseError.damaged
        }
        try checkClaims(of: run, hasWaves: digest != nil, db)
    }

    private static func checkClaims(of run: Int64, hasWaves: Bool, _ db: Database) throws {
        let claims = try NativeStatement(
            "SELECT run, platform, wave, claimed FROM wave_claims WHERE run = ?", db)
        claims.bind(run, at: 1)
        var found: [Int: (sum: Int64, highest: Int)] = [:]
        try claims.forEachRow { row in
            let known = found[row.integer(1)] ?? (0, 0)
            found[row.integer(1)] = (
                known.sum &+ row.digest(4), max(known.highest, row.integer(3))
            )
        }
        let platforms = try NativeStatement(
            "SELECT position, claimed, waves_digest FROM run_platforms WHERE run = ?", db)
        platforms.bind(run, at: 1)
        try platforms.forEachRow { row in
            guard row.isNull(2) == !hasWaves else { throw DatabaseError.damaged }
            guard hasWaves else { return }
            let known = found.removeValue(forKey: row.integer(0)) ?? (0, 0)
            guard known.sum == Int64(row.integer(2)), known.highest == row.integer(1) else {
                throw DatabaseError.damaged
            }
        }
        guard found.isEmpty else { throw DatabaseError.damaged }
    }
}
