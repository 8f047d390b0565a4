package import CampaignCore

/// Consecutive recipients of a run, by name.
///
/// Within each wave they form a range of numbers, so their rows are read range by range.
package struct RecipientPage {
    package struct Person {
        let number: Int
        /// The name; empty if the person was forgotten.
        package let name: Username
        /// Which of the shared notifications the person gets.
        let notification: Int
    }

    /// The maximum number of ranges in a statement; SQLite accepts no more than 500.
    private static let mostRanges = 100

    package let people: [Person]
    private var ranges: [ClosedRange<Int>] = []
    /// The indexes of the people, ordered by number.
    private let byNumber: [Int]

    package var last: Int? { people.last?.number }

    /// The next recipients by name, after the last number of the previous page (0 at first).
    ///
    /// With waves, numbers are not in name order. A forgotten person is placed after the preceding
    /// person, so the pages neither miss nor repeat anybody.
    package init(
        of run: StoredRun, after number: Int, limit: Int, _ db: any SQLConnection
    ) throws {
        guard run.hasWaves else {
            self.init(try Self.people(Self.byNumber, [run.key, number, limit], db))
            // A gap in the numbers would hide deliveries.
            guard last.map({ ranges == [(number + 1)...$0] }) ?? true else { throw DamagedValue() }
            return
        }
        var start: (place: String, forgotten: Int)? = ("", 0)
        if number > 0 {
            start = try db.row(
                "SELECT name, place FROM recipients WHERE run = ?1 AND number = ?2",
                [run.key, number]
            ) { row in
                let name = try row.text(0)
                let place = try row.optionalText(1) ?? (name.isEmpty ? "" : nil)
                return (place ?? name, place == nil ? 0 : number)
            }
        }
        guard let start else {
            self.init([])
            return
        }
        self.init(
            try Self.people(
                Self.byName(db.dialect), [run.key, start.place, start.forgotten, limit], db))
    }

    /// One recipient; nil if the person is not in the run.
    package init?(_ recipient: Username, of run: StoredRun, _ db: any SQLConnection) throws {
        // All forgotten people have an empty name.
        guard recipient != .nameless else { return nil }
        self.init(try Self.people(Self.named, [run.key, recipient.text], db))
        guard !people.isEmpty else { return nil }
    }

    private init(_ people: [Person]) {
        self.people = people
        byNumber = people.indices.sorted { people[$0].number < people[$1].number }
        for number in byNumber.map({ people[$0].number }) {
            if let last = ranges.last, number == last.upperBound + 1 {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
    }

    private static func people(
        _ query: String, _ values: [any SQLBindable], _ db: any SQLConnection
    ) throws -> [Person] {
        try db.rows(query, values) { row in
            Person(
                number: try row.int(0), name: Username(checked: try row.text(1)),
                notification: try row.int(2))
        }
    }

    private static let columns = "number, name, notification"

    private static let named = "SELECT \(columns) FROM recipients WHERE run = ?1 AND name = ?2"

    private static let byNumber = """
        SELECT \(columns) FROM recipients WHERE run = ?1 AND number > ?2 ORDER BY number LIMIT ?3
        """

    /// Reads two indexes from the start of the page: the one of all names, and the small one of
    /// forgotten people.
    static func byName(_ dialect: SQLDialect) -> String {
        """
        SELECT \(columns) FROM (
            SELECT * FROM (
                SELECT \(columns), name AS place, 0 AS forgotten FROM recipients
                WHERE run = ?1 AND name > ?2 ORDER BY name LIMIT ?4) named
            UNION ALL
            SELECT * FROM (
                SELECT \(columns), place, 1 FROM recipients
                WHERE run = ?1 AND place IS NOT NULL AND (place, number) > (?2, ?3)
                ORDER BY place, number LIMIT ?4) forgotten
            \(dialect.isServer ? "" : placeless)
        ) page ORDER BY place, forgotten, number LIMIT ?4
        """
    }

    /// People who were forgotten by an older process that still had the file open; they come first.
    private static let placeless = """
        UNION ALL
        SELECT * FROM (
            SELECT \(columns), '' AS place, 1 FROM recipients INDEXED BY recipients_by_name
            WHERE ?2 = '' AND run = ?1 AND name = '' AND place IS NULL AND number > ?3
            ORDER BY number LIMIT ?4) placeless
        """
}

extension RecipientPage {
    /// Removes the name `?2`; this person, and people who were forgotten earlier and placed after
    /// them, are now placed after the preceding person.
    ///
    /// There is one statement for each index, because a single statement would make SQLite read all
    /// recipients.
    static let erasing = ["name", "place"].map { column in
        """
        UPDATE recipients SET name = '', place = coalesce((
            SELECT b.name FROM recipients b WHERE b.run = ?1 AND b.name < ?2 AND b.name <> ''
            ORDER BY b.name DESC LIMIT 1), '')
        WHERE run = ?1 AND \(column) = ?2
        """
    }

    /// Reads the rows of these people from a table with the columns `run` and `number`.
    ///
    /// With ranges, a database looks up rows by key, whatever its statistics are.
    ///
    /// - Parameter read: receives the person's index and a row in which `columns` begin at 1.
    func rows(
        _ columns: String, from table: String, on platform: RunPlatform? = nil, of run: StoredRun,
        _ db: any SQLConnection, _ read: (_ person: Int, any SQLRow) throws -> Void
    ) throws {
        var key: [any SQLBindable] = [run.key]
        if let platform { key.append(platform.position) }
        let isMeant = platform == nil ? "run = ?1" : "run = ?1 AND platform = ?2"
        var before = 0
        for first in stride(from: 0, to: ranges.count, by: Self.mostRanges) {
            var values = key
            let selections = ranges[first...].prefix(Self.mostRanges).map { numbers in
                let parameter = values.count + 1
                values += [numbers.lowerBound, numbers.upperBound, numbers.lowerBound - before]
                before += numbers.count
                return """
                    SELECT number - ?\(parameter + 2), \(columns) FROM \(table)
                    WHERE \(isMeant) AND number BETWEEN ?\(parameter) AND ?\(parameter + 1)
                    """
            }
            _ = try db.rows(selections.joined(separator: "\nUNION ALL\n"), values) { row in
                try read(byNumber[row.int(0)], row)
            }
        }
    }
}
