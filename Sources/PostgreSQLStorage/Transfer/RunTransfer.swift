import PostgreSQLClient
import Storage

/// Copies one run of another store into this one, in one transaction.
struct RunTransfer {
    private typealias Column = TransferTable.Column

    private let run: SourceRun
    private let key: Int64
    private let source: any StoreSource
    private let db: PostgreSQLConnection
    private let wrote: (_ rows: Int) throws -> Void
    /// This store's keys of contents, by the source's.
    private var contents: [Int64: Int64] = [:]

    private static let mostContents = 5_000

    /// `wrote` gets the number of written rows, and ends the transfer by throwing.
    init(
        of run: SourceRun, from source: any StoreSource, _ db: PostgreSQLConnection,
        wrote: @escaping (_ rows: Int) throws -> Void
    ) throws {
        self.run = run
        self.source = source
        self.db = db
        self.wrote = wrote
        key = try RunRow.newKey(isLarge: run.people >= StoreSchema.partitionPeople, db)
    }

    mutating func write() throws {
        try writeRun()
        if hasPartitions { try RunPartitions.make(for: key, db) }
        for table in TransferTable.ofRuns {
            switch table {
            case .recipients: try writeRecipients()
            case .notifications: try writeNotifications()
            default:
                try forEachPage(of: table) { rows in
                    try write(rows, table.columns, into: table.name)
                }
            }
        }
        if !run.isStaging { try NotificationIndex.fill(run: key, db) }
        try ClaimedPages.addClaimed(of: key, db)
        try db.execute(
            """
            INSERT INTO revoked_notifications (run, number)
            SELECT run, number FROM notifications n
            WHERE run = $1 AND revoked IS NOT NULL AND \(PurgeRule.hasContent)
            """, [key])
    }

    private var hasPartitions: Bool { key >= StoreSchema.firstPartitionedKey }

    private func writeRun() throws {
        let rows = try source.rows(of: .runs, run: run.key, after: nil)
        guard rows.count == 1 else { throw DamagedValue() }
        let columns =
            [Column("key", .number), Column("has_partitions", .flag)] + TransferTable.runs.columns
        let head: [TransferValue] = [.number(key), .number(hasPartitions ? 1 : 0)]
        try db.copy(rows.map { head + $0 }, columns, into: "runs")
        try wrote(rows.count)
    }

    /// A forgotten recipient takes the place after the one before them in their wave.
    private func writeRecipients() throws {
        let table = TransferTable.recipients
        guard let name = table.place(of: "name"), let number = table.place(of: "number") else {
            return
        }
        let starts = Set(try WaveRow.recipients(of: key, db).map { Int64($0.lowerBound) })
        var last = TransferValue.text("")
        try forEachPage(of: table) { rows in
            let placed = rows.map { row in
                if case .number(let number) = row[number], starts.contains(number) {
                    last = .text("")
                }
                if row[name] == .text("") { return row + [last] }
                last = row[name]
                return row + [.null]
            }
            try write(placed, table.columns + [Column("place", .text)], into: table.name)
        }
    }

    private mutating func writeNotifications() throws {
        let table = TransferTable.notifications
        guard let content = table.place(of: "content") else { return }
        var last: [TransferValue]?
        while true {
            var rows = try source.rows(of: table, run: run.key, after: last)
            last = rows.last
            guard last != nil else { return }
            // Before the copy, during which nothing can be asked.
            for index in rows.indices {
                guard case .number(let known) = rows[index][content] else { continue }
                rows[index][content] = .number(try contentKey(known))
            }
            try write(rows, table.columns, into: table.name)
        }
    }

    private mutating func contentKey(_ known: Int64) throws -> Int64 {
        if let key = contents[known] { return key }
        let found = try ContentTable.key(of: source.content(known), in: key, db)
        if contents.count == Self.mostContents { contents = [:] }
        contents[known] = found
        return found
    }

    private func forEachPage(
        of table: TransferTable, _ body: ([[TransferValue]]) throws -> Void
    ) throws {
        var last: [TransferValue]?
        while true {
            let rows = try source.rows(of: table, run: run.key, after: last)
            last = rows.last
            guard last != nil else { return }
            try body(rows)
        }
    }

    private func write(
        _ rows: [[TransferValue]], _ columns: [Column], into table: String
    ) throws {
        let isPartitioned = StoreSchema.partitioned.contains(table)
        let part =
            !isPartitioned
            ? table
            : hasPartitions ? RunPartitions.name(of: table, key: key) : "\(table)_few"
        let head = TransferValue.number(key)
        try db.copy(rows.map { [head] + $0 }, [Column("run", .number)] + columns, into: part)
        try wrote(rows.count)
    }
}

extension PostgreSQLConnection {
    /// Throws ``DamagedValue`` for a value of another kind than its column's.
    func copy(
        _ rows: [[TransferValue]], _ columns: [TransferTable.Column], into table: String
    ) throws {
        try copy(into: table, columns: columns.map(\.name)) { copy in
            for row in rows {
                copy.beginRow(columns.count)
                for (column, value) in zip(columns, row) { try copy.append(value, as: column.kind) }
            }
        }
    }
}

extension BinaryCopy {
    fileprivate mutating func append(
        _ value: TransferValue, as kind: TransferTable.Kind
    ) throws {
        switch (kind, value) {
        case (_, .null): append(nil as String?)
        case (.number, .number(let number)): append(number)
        case (.small, .number(let number)): append(int2: Int16(truncatingIfNeeded: number))
        case (.flag, .number(let number)): append(number != 0)
        case (.text, .text(let text)): append(text)
        case (.anyText, .text(let text)): append(StoredText.encode(text))
        case (.bytes, .bytes(let bytes)): append(bytes)
        default: throw DamagedValue()
        }
    }
}
