import Storage

/// The store in a file from which this one was filled, or is being filled.
struct StoreOrigin: Sendable {
    /// Identifies the file's content.
    let fingerprint: String
    /// Whether all of it is here.
    let hasEnded: Bool
    /// Recognises people who were forgotten in the file; encrypted.
    let forgottenKey: [UInt8]?

    /// nil when the store was not filled.
    static func find(_ db: any SQLConnection) throws -> StoreOrigin? {
        try db.row("SELECT fingerprint, ended IS NOT NULL, forgotten_key FROM store_origin") {
            StoreOrigin(
                fingerprint: try $0.text(0), hasEnded: try $0.bool(1),
                forgottenKey: try $0.optionalBytes(2))
        }
    }
}
