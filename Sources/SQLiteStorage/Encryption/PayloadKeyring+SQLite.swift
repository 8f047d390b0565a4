import FoundationEssentials
import GRDB
import Storage

extension PayloadKeyring {
    /// - Parameters:
    ///   - path: the store's file.
    ///   - options: where its key comes from.
    convenience init(besideStoreAt path: String, options: StoreOptions) {
        self.init(
            of: .store(path: path), source: options.payloadKey,
            file: PayloadKeyFile(besideStoreAt: path, owner: options.owner),
            made: options.payloadKeyMade)
    }

    /// The cipher for what is already encrypted in the store.
    ///
    /// - Parameter db: any connection that sees nothing but what is committed.
    /// - Returns: nil when nothing was ever encrypted here.
    /// - Throws: as `cipherInUse(_:)`.
    fileprivate func cipherInUse(_ db: Database) throws -> PayloadCipher? {
        try cipherInUse { try Self.checkValue(db) }
    }

    /// The cipher, to decrypt something with.
    ///
    /// - Throws: as `cipher(_:)`.
    func cipher(_ db: Database) throws -> PayloadCipher {
        try cipher { try Self.checkValue(db) }
    }

    private static func checkValue(_ db: Database) throws -> [UInt8]? {
        try Data.fetchOne(db, sql: "SELECT check_value FROM payload_key").map(Array.init)
    }
}

extension SQLiteStore {
    /// The cipher to encrypt with; from the first time on the store knows its key.
    ///
    /// - Throws: ``StoreError`` when the key is missing, wrong or cannot be made.
    func sealingCipher() async throws -> PayloadCipher {
        // On the connection that writes next, so that staging opens no second one.
        let known = try await writeWithoutTransaction(keyring.cipherInUse)
        if let known { return known }
        let value = try keyring.firstCipher().checkValue
        try await write { db in
            // Another process may have been faster, with the same key or with another.
            try db.execute(
                sql: "INSERT OR IGNORE INTO payload_key (only, check_value) VALUES (1, ?)",
                arguments: [Data(value)])
        }
        return try await writeWithoutTransaction(keyring.cipher)
    }
}

extension SQLiteStore {
    package func checkPayloadKey() async throws {
        _ = try await read(keyring.cipherInUse)
    }
}
