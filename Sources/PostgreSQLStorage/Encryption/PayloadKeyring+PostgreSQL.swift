import Files
import PostgreSQLClient
import Storage

extension PayloadKeyring {
    /// nil when nothing was ever encrypted here.
    fileprivate func cipherInUse(_ db: PostgreSQLConnection) throws -> PayloadCipher? {
        try cipherInUse { try Self.checkValue(db) }
    }

    func cipher(_ db: PostgreSQLConnection) throws -> PayloadCipher {
        try cipher { try Self.checkValue(db) }
    }

    func cipherNow(_ db: PostgreSQLConnection) throws -> PayloadCipher? {
        try cipherNow { try Self.checkValue(db) }
    }

    /// Records the first key's check value, if the keys at hand are the store's.
    fileprivate func add(_ db: PostgreSQLConnection) throws {
        let known = try db.row("SELECT check_value FROM payload_key FOR UPDATE")?.bytes(0)
        guard let values = try adding(to: known) else { return }
        // Another host may have been faster, with the same or another key.
        try db.execute(
            known == nil
                ? "INSERT INTO payload_key (check_value) VALUES ($1) ON CONFLICT DO NOTHING"
                : "UPDATE payload_key SET check_value = $1", [values])
    }

    /// nil while the store has no key.
    static func checkValue(_ db: PostgreSQLConnection) throws -> [UInt8]? {
        try db.row("SELECT check_value FROM payload_key")?.bytes(0)
    }
}

extension PostgreSQLStore {
    /// The cipher to encrypt with; after the first time the store knows its key.
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
