import GRDB
import Storage

extension WaveRow {
    private static func recipients(_ row: NativeRow) throws -> ClosedRange<Int> {
        let (first, last) = (row.integer(2), row.integer(3))
        guard 1 <= first, first <= last else { throw DatabaseError.damaged }
        return first...last
    }

    private static let columns = ["run", "number", "first", "last", "turn", "zones"]

    private static let selection =
        "SELECT \(columns.joined(separator: ", ")) FROM run_waves WHERE run = ? ORDER BY number"

    static func digest(of run: Int64, _ db: Database) throws -> Int64 {
        let query = try NativeStatement(selection, db)
        query.bind(run, at: 1)
        var sum: Int64 = 0
        try query.forEachRow { sum &+= $0.digest(Int32(columns.count)) }
        return sum
    }

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
