import PostgreSQLClient
import Storage

/// The store in a file from which this one was filled, or is being filled.
struct StoreOrigin: Sendable {
    /// Of the file's content.
    let fingerprint: String
    /// Whether all of it is here.
    let hasEnded: Bool

    /// nil when the store was not filled.
    static func find(_ db: PostgreSQLConnection) throws -> StoreOrigin? {
        try db.row("SELECT fingerprint, ended IS NOT NULL FROM store_origin").map { row in
            StoreOrigin(fingerprint: try row.text(0), hasEnded: try row.bool(1))
        }
    }

    /// Records that the store is being filled, which keeps everybody else out; the key is
    /// encrypted.
    static func begin(
        _ fingerprint: String, forgottenKey: [UInt8]?, at time: Int64, _ db: PostgreSQLConnection
    ) throws {
        try db.execute(
            "INSERT INTO store_origin (fingerprint, begun, forgotten_key) VALUES ($1, $2, $3)",
            [fingerprint, time, forgottenKey])
    }

    static func end(at time: Int64, _ db: PostgreSQLConnection) throws {
        try db.execute("UPDATE store_origin SET ended = $1", [time])
    }

    /// The file's encrypted key for forgotten names.
    static func forgottenKey(_ db: any SQLConnection) throws -> [UInt8]? {
        try db.row("SELECT forgotten_key FROM store_origin") { try $0.optionalBytes(0) } ?? nil
    }
}
