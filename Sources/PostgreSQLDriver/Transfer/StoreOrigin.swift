import Storage

/// The store in a file from which this store was or is being filled.
struct StoreOrigin: Sendable {
    /// Identifies the file's content.
    let fingerprint: String
    /// Whether everything has been copied.
    let hasEnded: Bool
    /// The encrypted key that recognises people who were forgotten in the file.
    let forgottenKey: [UInt8]?

    /// nil if the store was not filled from another one.
    static func find(_ db: any SQLConnection) throws -> StoreOrigin? {
        try db.row("SELECT fingerprint, ended IS NOT NULL, forgotten_key FROM store_origin") {
            StoreOrigin(
                fingerprint: try $0.text(0), hasEnded: try $0.bool(1),
                forgottenKey: try $0.optionalBytes(2))
        }
    }
}
