import CampaignCore
import Files
import PostgreSQLClient
import Storage

extension PayloadKeyring {
    /// The cipher for what is already encrypted in the store.
    ///
    /// - Parameter db: any connection that sees nothing but what is committed.
    /// - Returns: nil when nothing was ever encrypted here.
    /// - Throws: as `cipherInUse(_:)`.
    fileprivate func cipherInUse(_ db: PostgreSQLConnection) throws -> PayloadCipher? {
        try cipherInUse { try Self.checkValue(db) }
    }

    /// The cipher, to decrypt something with.
    ///
    /// - Throws: as `cipher(_:)`.
    func cipher(_ db: PostgreSQLConnection) throws -> PayloadCipher {
        try cipher { try Self.checkValue(db) }
    }

    private static func checkValue(_ db: PostgreSQLConnection) throws -> [UInt8]? {
        try db.row("SELECT check_value FROM payload_key")?.bytes(0)
    }
}

extension PostgreSQLStore {
    /// The cipher to encrypt with; from the first time on the store knows its key.
    ///
    /// - Throws: ``StoreError`` when this host has another key or none, or none can be made.
    func sealingCipher() async throws -> PayloadCipher {
        let keyring = keyring
        if let known = try await read({ db in try keyring.cipherInUse(db) }) { return known }
        // Another process of this host may be making the file.
        let value = try await BlockingWork.run { () throws(StoreError) in
            try keyring.firstCipher().checkValue
        }
        try await write { db in
            // Another host may have been faster, with the same key or with another.
            _ = try db.execute(
                "INSERT INTO payload_key (check_value) VALUES ($1) ON CONFLICT DO NOTHING",
                [value])
        }
        return try await read { db in try keyring.cipher(db) }
    }

    package func checkPayloadKey() async throws {
        let keyring = keyring
        _ = try await read { db in try keyring.cipherInUse(db) }
    }
}
