import GRDB

/// Inserts many rows at a time, because the overhead of a statement costs SQLite as much as a row.
struct RowBatch {
    private static let rows = 50

    private let columns: Int
    private let digested: Int
    private let many: NativeStatement
    private let one: NativeStatement
    private var values: [NativeValue] = []
    /// All text and bytes; never empty, because SQLite takes a null address for NULL.
    private var texts: [UInt8] = [0]
    /// The sum of the digests of all rows so far.
    private(set) var digest: Int64 = 0

    /// Prepares the statements; with an empty `conflict`, a conflict is an error.
    init(
        into table: String, _ columns: [String], others: [String] = [],
        onConflict conflict: String = "", _ db: Database
    ) throws {
        digested = columns.count
        let columns = columns + others
        self.columns = columns.count
        let row = "(" + repeatElement("?", count: columns.count).joined(separator: ",") + ")"
        let statement = { (count: Int) in
            let rows = repeatElement(row, count: count).joined(separator: ",")
            return try NativeStatement(
                "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES \(rows) \(conflict)",
                db)
        }
        self.many = try statement(Self.rows)
        self.one = try statement(1)
        values.reserveCapacity(Self.rows * columns.count)
    }

    mutating func append(_ number: Int) {
        values.append(.number(Int64(number)))
    }

    mutating func append(_ number: Int64?) {
        values.append(number.map(NativeValue.number) ?? .null)
    }

    mutating func append(_ text: String?) {
        guard let text else { return values.append(.null) }
        values.append(.text(place(of: text.utf8)))
    }

    mutating func append(utf8 text: [UInt8]) {
        values.append(.text(place(of: text)))
    }

    mutating func append(_ bytes: [UInt8]?) {
        guard let bytes else { return values.append(.null) }
        values.append(.bytes(place(of: bytes)))
    }

    private mutating func place(of bytes: some Collection<UInt8>) -> Range<Int> {
        let start = texts.count
        texts += bytes
        return start..<texts.count
    }

    /// Ends a row, and inserts the rows once there are enough.
    mutating func endRow() throws {
        precondition(values.count.isMultiple(of: columns), "a row has a value for each column")
        if digested > 0 {
            digest &+= RowDigest(values.suffix(columns).prefix(digested), texts: texts).value
        }
        guard values.count == Self.rows * columns else { return }
        try many.run(values[...], texts: texts)
        clear()
    }

    mutating func finish() throws {
        for first in stride(from: 0, to: values.count, by: columns) {
            try one.run(values[first..<(first + columns)], texts: texts)
        }
        clear()
    }

    private mutating func clear() {
        values.removeAll(keepingCapacity: true)
        texts.removeSubrange(1...)
    }
}
