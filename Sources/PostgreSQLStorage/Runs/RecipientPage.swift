import CampaignCore
import PostgreSQLClient

/// Consecutive recipients of a run, by name.
struct RecipientPage {
    struct Person {
        let number: Int
        /// Empty if they were forgotten.
        let name: Username
        /// Which of the shared notifications they get.
        let notification: Int
    }

    let people: [Person]

    var numbers: [Int] { people.map(\.number) }
    var last: Int? { people.last?.number }

    /// The next recipients by name, after the last number of the previous page (0 at first).
    ///
    /// With waves, numbers are not in name order. A forgotten person takes the place after the one
    /// before them, so that nobody is missed or repeated while pages are read.
    init(
        of run: StoredRun, after number: Int, limit: Int, _ db: PostgreSQLConnection
    ) throws {
        guard run.hasWaves else {
            try self.init(db.rows(Self.byNumber, [run.key, number, limit]))
            return
        }
        var (name, forgotten) = ("", 0)
        if number > 0 {
            let query = "SELECT name, place FROM recipients WHERE run = $1 AND number = $2"
            guard let row = try db.row(query, [run.key, number]) else {
                try self.init([])
                return
            }
            let place = try row.optionalText(1)
            (name, forgotten) = (try place ?? row.text(0), place == nil ? 0 : number)
        }
        try self.init(db.rows(Self.byName, [run.key, name, forgotten, limit]))
    }

    /// One recipient; nil when the run does not go to them.
    init?(_ recipient: Username, of run: StoredRun, _ db: PostgreSQLConnection) throws {
        // An empty name stands for all forgotten people.
        guard recipient != .nameless else { return nil }
        try self.init(db.rows(Self.named, [run.key, recipient.text]))
        guard !people.isEmpty else { return nil }
    }

    private init(_ rows: [PostgreSQLRow]) throws {
        people = try rows.map { row in
            Person(
                number: try row.int(0), name: Username(checked: try row.text(1)),
                notification: try row.int(2))
        }
    }

    private static let columns = "number, name, notification"

    private static let named = "SELECT \(columns) FROM recipients WHERE run = $1 AND name = $2"

    private static let byNumber = """
        SELECT \(columns) FROM recipients WHERE run = $1 AND number > $2 ORDER BY number LIMIT $3
        """

    /// Two indexes from where the page begins: all names, and the few places of forgotten people.
    private static let byName = """
        SELECT \(columns) FROM (
            (SELECT \(columns), name AS place, 0 AS forgotten FROM recipients
                WHERE run = $1 AND name > $2 ORDER BY name LIMIT $4)
            UNION ALL
            (SELECT \(columns), place, 1 FROM recipients
                WHERE run = $1 AND place IS NOT NULL AND (place, number) > ($2, $3)
                ORDER BY place, number LIMIT $4)
        ) page ORDER BY place, forgotten, number LIMIT $4
        """
}
