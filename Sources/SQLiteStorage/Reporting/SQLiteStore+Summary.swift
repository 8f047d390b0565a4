package import CampaignCore
import GRDB
import Storage

extension SQLiteStore {
    /// Reasons that are told apart; what comes beyond them is not counted, so that no hub's answers fill the memory.
    private static let mostReasons = 1_000

    /// Stands for somebody whose name is not known any more.
    private static let somebodyForgotten = Username(checked: "(forgotten)")

    private struct Reason: Hashable {
        let outcome: Outcome
        let text: String
    }

    package func reasons(_ run: RunID, limit: Int) async throws -> [TroubleReason] {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            if let sums = try RunSums.kept(of: stored, db) {
                return Array(sums.troubleReasons.prefix(limit))
            }
            return try Self.reasons(of: stored, limit: limit, isNameless: false, db)
        }
    }

    /// The reasons of a run whose deliveries are there.
    ///
    /// - Parameters:
    ///   - run: the run.
    ///   - limit: how many at most.
    ///   - isNameless: whether nobody's name is in them: no example, and what a service said only up to the first name.
    ///   - db: any connection, in one transaction.
    static func reasons(
        of run: StoredRun, limit: Int, isNameless: Bool, _ db: Database
    ) throws -> [TroubleReason] {
        let query = try NativeStatement(troubles, db)
        query.bind(run.key, at: 1)
        let name = try NativeStatement(naming, db)
        func nameOf(_ number: Int) throws -> String {
            name.bind(run.key, at: 1)
            name.bind(number, at: 2)
            var found: String?
            try name.forEachRow { found = try $0.requiredText(0) }
            guard let found else { throw DatabaseError.damaged }
            return found
        }
        var found: [Reason: (count: Int, number: Int)] = [:]
        // Mostly the same as that of the row before.
        var last: (detail: String, essence: String) = ("", "")
        try query.forEachRow { row in
            guard let state = DeliveryState(rawValue: row.integer(0)) else {
                throw DatabaseError.damaged
            }
            var detail = row.text(1) ?? ""
            if isNameless {
                detail = try SaidName(nameOf(row.integer(2))).cut(from: detail)
            }
            if detail != last.detail { last = (detail, TroubleReason.essence(of: detail)) }
            let reason = Reason(outcome: state.outcome, text: last.essence)
            if let known = found[reason] {
                found[reason] = (known.count + 1, known.number)
            } else if found.count < mostReasons {
                found[reason] = (1, row.integer(2))
            }
        }
        return try found.sorted { one, other in
            (other.value.count, one.key.outcome.rawValue, one.key.text)
                < (one.value.count, other.key.outcome.rawValue, other.key.text)
        }.prefix(limit).map { reason, met in
            var example: Username?
            if !isNameless {
                let name = try nameOf(met.number)
                example = name.isEmpty ? somebodyForgotten : Username(checked: name)
            }
            return TroubleReason(
                outcome: reason.outcome, reason: reason.text, count: met.count, example: example)
        }
    }

    private static let naming = "SELECT name FROM recipients WHERE run = ? AND number = ?"

    private static let troubles: String = {
        let states = TroubleReason.outcomes.map { "\(DeliveryState($0).rawValue)" }
        return """
            SELECT state, detail, number FROM deliveries
            WHERE run = ? AND state IN (\(states.joined(separator: ", ")))
            """
    }()
}

extension SQLiteStore {
    package func reach(_ run: RunID) async throws -> Reach {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            return try RunSums.kept(of: stored, db)?.reach ?? Self.reach(of: stored, db)
        }
    }

    /// How far a run came whose deliveries are there.
    static func reach(of run: StoredRun, _ db: Database) throws -> Reach {
        let statement = try db.cachedStatement(sql: reaching)
        guard let row = try Row.fetchOne(statement, arguments: [run.key]) else { return Reach() }
        return Reach(accepted: row[0], fetched: row[1], read: row[2])
    }

    /// A person is counted on the first of the platforms that accepted them: the others are looked up, one row each, in the order
    /// in which they stand.
    private static let reaching = """
        SELECT
            (SELECT count(*) FROM deliveries d
                WHERE d.run = ?1 AND d.state = \(DeliveryState.accepted.rawValue)
                    AND NOT EXISTS (SELECT 1 FROM run_platforms p
                        CROSS JOIN deliveries e ON e.run = p.run AND e.platform = p.position
                            AND e.number = d.number
                        WHERE p.run = ?1 AND p.position < d.platform
                            AND e.state = \(DeliveryState.accepted.rawValue))),
            (SELECT count(fetched) FROM receipts WHERE run = ?1),
            (SELECT count(read) FROM receipts WHERE run = ?1)
        """
}

/// Somebody's name, as it may stand in what a service said.
private struct SaidName {
    /// What stands before the name in any tag.
    private static let tag = Array(Username.nameless.tag.utf8)

    private let name: [UInt8]

    init(_ name: String) {
        self.name = Array(name.utf8)
    }

    /// A text up to the first place where the name stands as a word of its own, or to the first tag: what is said of a request for
    /// several people may name all of them.
    func cut(from text: String) -> String {
        let bytes = Array(text.utf8)
        for start in bytes.indices {
            if stands(in: bytes, at: start) {
                return String(decoding: bytes[..<start], as: UTF8.self)
            }
            if bytes[start] == Self.tag[0], bytes[start...].starts(with: Self.tag) {
                return String(decoding: bytes[..<(start + Self.tag.count)], as: UTF8.self)
            }
        }
        return text
    }

    private func stands(in bytes: [UInt8], at start: Int) -> Bool {
        let end = start + name.count
        return !name.isEmpty && end <= bytes.count && bytes[start] == name[0]
            && bytes[start..<end] == name[...]
            && (start == 0 || !Self.isWordly(bytes[start - 1]))
            && (end == bytes.count || !Self.isWordly(bytes[end]))
    }

    private static func isWordly(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: byte >= 0x80
        }
    }
}
