import CampaignCore
import PostgreSQLClient
import Storage

/// Some of a run's recipients, who follow each other by name.
struct RecipientPage {
    /// One of them.
    struct Person {
        let number: Int
        /// Empty for who was forgotten.
        let name: Username
        /// Which of the notifications they get that the run's recipients share.
        let notification: Int
    }

    /// In order.
    let people: [Person]

    var numbers: [Int] { people.map(\.number) }
    /// The number of the last; nil when there is nobody.
    var last: Int? { people.last?.number }

    /// The next recipients of a run by name.
    ///
    /// Without waves numbers are in the order of names. With waves the names are, and who was forgotten stands right behind
    /// the one who was before them, so that nobody is missed or repeated who is forgotten while pages are read.
    ///
    /// - Parameters:
    ///   - run: the run.
    ///   - number: the last one's of the page before, 0 at first.
    ///   - limit: how many at most, at least 1.
    ///   - db: the connection, in one transaction with what is read of them.
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

    /// One recipient.
    ///
    /// - Returns: nil when the run does not go to them.
    init?(_ recipient: Username, of run: StoredRun, _ db: PostgreSQLConnection) throws {
        // No name stands for all who were forgotten.
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

    /// Two indexes are gone through from where the page begins: all names, and the few places of who was forgotten.
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
