import CampaignCore
import GRDB
import Storage

/// A run's recipients, who are numbered in name order without a gap.
///
/// Each wave is a range of numbers in name order.
struct RecipientOrder {
    private let run: Int64
    private let db: Database
    private let name: NativeStatement
    private let several: NativeStatement
    /// Also the number of the last.
    let count: Int
    /// The numbers of each wave, in order; a run without waves has one, which may be empty.
    let waves: [Range<Int>]

    /// A run that is staged, or being staged; the value must be used within one transaction.
    init(run: Int64, _ db: Database) throws {
        self.run = run
        self.db = db
        self.name = try NativeStatement(
            "SELECT name FROM recipients WHERE run = ? AND number = ?", db)
        self.several = try NativeStatement(
            "SELECT name FROM recipients WHERE run = ? AND number BETWEEN ? AND ? ORDER BY number",
            db)
        let query = try NativeStatement(Self.ranges, db)
        query.bind(run, at: 1)
        var count = 0
        var waves: [ClosedRange<Int>] = []
        try query.forEachRow { row in
            let (first, last) = (row.integer(1), row.integer(2))
            guard (0..<Int.max).contains(last) else { throw DatabaseError.damaged }
            guard row.integer(0) != 0 else {
                count = last
                return
            }
            guard first <= last else { throw DatabaseError.damaged }
            waves.append(first...last)
        }
        self.count = count
        self.waves = try Self.parts(of: 1..<(count + 1), by: waves)
    }

    private static let ranges = """
        SELECT 0, 1, (SELECT number FROM recipients WHERE run = ?1 ORDER BY number DESC LIMIT 1)
        UNION ALL SELECT 1, first, last FROM run_waves WHERE run = ?1
        """

    private static func parts(
        of numbers: Range<Int>, by waves: [ClosedRange<Int>]
    ) throws -> [Range<Int>] {
        guard !waves.isEmpty else { return [numbers] }
        var parts: [Range<Int>] = []
        var next = 1
        for wave in waves.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard wave.lowerBound == next else { throw DatabaseError.damaged }
            next = wave.upperBound + 1
            // Waves are written before the people in them.
            let part = Range(wave).clamped(to: numbers)
            if !part.isEmpty { parts.append(part) }
        }
        guard numbers.upperBound <= next else { throw DatabaseError.damaged }
        return parts.isEmpty ? [numbers] : parts
    }

    /// nil when the run does not go to them.
    func number(of username: Username) throws -> Int? {
        try Self.number(of: username, in: run, db)
    }

    /// The same without a look at the waves.
    static func number(of username: Username, in run: Int64, _ db: Database) throws -> Int? {
        let statement = try NativeStatement(
            """
            SELECT number FROM recipients INDEXED BY recipients_by_name
            WHERE run = ? AND name = ?
            """, db)
        try statement.bind([run, username.text])
        var found: Int?
        try statement.forEachRow { found = $0.integer(0) }
        return found
    }

    /// nil when the recipient is not among these numbers.
    func number(of username: Username, in numbers: Range<Int>) throws -> Int? {
        try number(of: username).flatMap { numbers.contains($0) ? $0 : nil }
    }

    /// The recipients with names from `first` to `last`, which must not be less.
    func numbers(from first: Username, through last: Username) throws -> [Range<Int>] {
        try waves.compactMap { wave in
            let start = try number(notBefore: first, in: wave) ?? wave.upperBound
            var end = try number(notBefore: last, in: wave) ?? wave.upperBound
            if end < wave.upperBound, try name(of: end) == last { end += 1 }
            return start < end ? start..<end : nil
        }
    }

    /// The first recipient of a wave with this name or a later one, by halving: the index of names
    /// would lead through the people of all other waves.
    func number(notBefore username: Username, in wave: Range<Int>) throws -> Int? {
        var (low, high) = (wave.lowerBound, wave.upperBound)
        var found: Int?
        while low < high {
            let middle = low + (high - low) / 2
            // A forgotten recipient has no name; the next one decides.
            var (number, name) = (middle, try self.name(of: middle))
            while name == .nameless, number + 1 < high {
                number += 1
                name = try self.name(of: number)
            }
            if name != .nameless, name < username {
                low = number + 1
            } else {
                if name != .nameless { found = number }
                high = middle
            }
        }
        return found
    }

    /// Throws `DatabaseError.damaged` when nobody has that number.
    func name(of number: Int) throws -> Username {
        var found: Username?
        self.name.bind(run, at: 1)
        self.name.bind(number, at: 2)
        try self.name.forEachRow { found = Username(checked: try $0.requiredText(0)) }
        guard let found else { throw DatabaseError.damaged }
        return found
    }

    /// The names of consecutive recipients, cheaper than one by one; throws `DatabaseError.damaged`
    /// for a missing one.
    func names(of numbers: ClosedRange<Int>) throws -> [Username] {
        var names: [Username] = []
        names.reserveCapacity(numbers.count)
        several.bind(run, at: 1)
        several.bind(numbers.lowerBound, at: 2)
        several.bind(numbers.upperBound, at: 3)
        try several.forEachRow { names.append(Username(checked: try $0.requiredText(0))) }
        guard names.count == numbers.count else { throw DatabaseError.damaged }
        return names
    }
}
