import CampaignCore
import GRDB

/// Finds a run's recipients by name, by binary search: they are numbered in name order without a gap, and need no index.
///
/// Among a million, twenty rows are read.
struct RecipientOrder {
    private let run: Int64
    private let name: NativeStatement
    /// How many recipients the run has; the number of the last.
    let count: Int

    /// Looks at a run that is staged, or being staged.
    ///
    /// - Parameters:
    ///   - run: the run's key.
    ///   - db: any connection, in one transaction for as long as the value is used.
    init(run: Int64, _ db: Database) throws {
        self.run = run
        self.name = try NativeStatement(
            "SELECT name FROM recipients WHERE run = ? AND number = ?", db)
        let last = try NativeStatement(
            "SELECT number FROM recipients WHERE run = ? ORDER BY number DESC LIMIT 1", db)
        last.bind(run, at: 1)
        var count = 0
        try last.forEachRow { count = $0.integer(0) }
        self.count = count
    }

    /// The number of a recipient.
    ///
    /// - Returns: nil when the run does not go to them.
    func number(of username: Username) throws -> Int? {
        try number(of: username, atLeast: 0)
    }

    /// The number of a recipient, found in a time that does not depend on who it is.
    ///
    /// - Parameters:
    ///   - username: who.
    ///   - lookups: how many names are read at least, so that the time it takes tells nothing.
    /// - Returns: nil when the run does not go to them.
    func number(of username: Username, atLeast lookups: Int) throws -> Int? {
        let (number, searched) = try firstNumber(notBefore: username)
        var (found, looks): (Int?, Int) = (nil, searched)
        if number <= count {
            if try self.name(of: number) == username { found = number }
            looks += 1
        }
        while looks < lookups {
            // In a run of nobody there is none, and looking for it takes as long.
            _ = try nameIfAny(of: min(number, count))
            looks += 1
        }
        return found
    }

    /// The recipients whose names lie between two.
    ///
    /// - Parameters:
    ///   - first: the least name.
    ///   - last: the greatest, no less than `first`.
    /// - Returns: their numbers; none when no name lies there.
    func numbers(from first: Username, through last: Username) throws -> Range<Int> {
        let start = try firstNumber(notBefore: first).number
        var end = try firstNumber(notBefore: last).number
        if end <= count, try name(of: end) == last { end += 1 }
        return start..<max(start, end)
    }

    /// The number of the first recipient at or behind a name; one more than ``count`` when all are before it; and how many
    /// names were looked at.
    private func firstNumber(
        notBefore username: Username
    ) throws -> (number: Int, looks: Int) {
        var (low, high, looks) = (1, count + 1, 0)
        var found: Int?
        while low < high {
            let middle = low + (high - low) / 2
            // Who was forgotten has no name: the next with one tells where to go on.
            var (number, name) = (middle, try self.name(of: middle))
            looks += 1
            while name == .nameless, number + 1 < high {
                number += 1
                name = try self.name(of: number)
                looks += 1
            }
            if name != .nameless, name < username {
                low = number + 1
            } else {
                if name != .nameless { found = number }
                high = middle
            }
        }
        return (found ?? low, looks)
    }

    /// The name of a recipient.
    ///
    /// - Parameter number: from 1 to ``count``.
    /// - Returns: who has it.
    /// - Throws: `DatabaseError.damaged` when there is none of that number.
    func name(of number: Int) throws -> Username {
        guard let found = try nameIfAny(of: number) else { throw DatabaseError.damaged }
        return found
    }

    private func nameIfAny(of number: Int) throws -> Username? {
        var found: Username?
        self.name.bind(run, at: 1)
        self.name.bind(number, at: 2)
        try self.name.forEachRow { found = Username(checked: try $0.requiredText(0)) }
        return found
    }
}
