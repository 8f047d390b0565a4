import PostgreSQLClient
import Storage

/// The store in a file from which this one was filled, or is being filled.
struct StoreOrigin: Sendable {
    /// What stood in the file.
    let fingerprint: String
    /// Whether all of it is here.
    let hasEnded: Bool

    /// - Returns: nil where the store has begun by itself.
    static func find(_ db: PostgreSQLConnection) throws -> StoreOrigin? {
        try db.row("SELECT fingerprint, ended IS NOT NULL FROM store_origin").map { row in
            StoreOrigin(fingerprint: try row.text(0), hasEnded: try row.bool(1))
        }
    }

    /// Writes down that the store is being filled, which keeps everybody else from it.
    ///
    /// - Parameters:
    ///   - fingerprint: of what stands in the file.
    ///   - forgottenKey: the key by which people are recognised who were forgotten there, encrypted; nil: nobody was.
    ///   - time: the current time, in milliseconds.
    ///   - db: the connection, in a transaction.
    static func begin(
        _ fingerprint: String, forgottenKey: [UInt8]?, at time: Int64, _ db: PostgreSQLConnection
    ) throws {
        try db.execute(
            "INSERT INTO store_origin (fingerprint, begun, forgotten_key) VALUES ($1, $2, $3)",
            [fingerprint, time, forgottenKey])
    }

    /// Writes down that all is there.
    static func end(at time: Int64, _ db: PostgreSQLConnection) throws {
        try db.execute("UPDATE store_origin SET ended = $1", [time])
    }

    /// The key by which people are recognised who were forgotten in the file, encrypted.
    ///
    /// - Returns: nil where there is none.
    static func forgottenKey(_ db: PostgreSQLConnection) throws -> [UInt8]? {
        try db.row("SELECT forgotten_key FROM store_origin")?.optionalBytes(0)
    }
}
