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

    /// The cipher for what is encrypted in the store, after a look at its keys.
    ///
    /// - Throws: as `cipherNow(_:)`.
    func cipherNow(_ db: PostgreSQLConnection) throws -> PayloadCipher? {
        try cipherNow { try Self.checkValue(db) }
    }

    /// Has the store know the first key, where the keys at hand are its own.
    fileprivate func add(_ db: PostgreSQLConnection) throws {
        let known = try db.row("SELECT check_value FROM payload_key FOR UPDATE")?.bytes(0)
        guard let values = try adding(to: known) else { return }
        // Another host may have been faster, with the same key or with another.
        try db.execute(
            known == nil
                ? "INSERT INTO payload_key (check_value) VALUES ($1) ON CONFLICT DO NOTHING"
                : "UPDATE payload_key SET check_value = $1", [values])
    }

    /// What the store recognises its keys by; nil while it has none.
    static func checkValue(_ db: PostgreSQLConnection) throws -> [UInt8]? {
        try db.row("SELECT check_value FROM payload_key")?.bytes(0)
    }
}

extension PostgreSQLStore {
    /// The cipher to encrypt with; from the first time on the store knows its key.
    ///
    /// - Throws: ``StoreError`` when this host has another key or none, or none can be made.
    func sealingCipher() async throws -> PayloadCipher {
        let keyring = keyring
        let known = try await read { db in try keyring.cipherNow(db) }
        if let known, known.isFirstKnown { return known }
        if known == nil {
            // Another process of this host may be making the file.
            _ = try await BlockingWork.run { () throws(StoreError) in try keyring.firstCipher() }
        }
        try await write { db in try keyring.add(db) }
        return try await read { db in
            guard let cipher = try keyring.cipherNow(db) else { throw DamagedValue() }
            return cipher
        }
    }

    package func checkPayloadKey() async throws {
        let keyring = keyring
        _ = try await read { db in try keyring.cipherInUse(db) }
    }
}

extension PayloadCipher {
    /// How many bytes encryption has added to `n.sealed`, as SQL.
    static let addedBytes =
        "(\(overhead) + \(keyIDLength) * (get_byte(n.sealed, 0) = \(namedVersion))::int)"
}
