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

    /// The cipher for what is encrypted in the store, after a look at its keys.
    ///
    /// - Throws: as `cipherNow(_:)`.
    func cipherNow(_ db: Database) throws -> PayloadCipher? {
        try cipherNow { try Self.checkValue(db) }
    }

    /// Has the store know the first key, where the keys at hand are its own.
    fileprivate func add(_ db: Database) throws {
        guard let values = try adding(to: Self.checkValue(db)) else { return }
        try keep(values, db)
    }

    /// Writes down by what the store recognises its keys.
    func keep(_ values: [UInt8], _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO payload_key (only, check_value) VALUES (1, ?)
                ON CONFLICT (only) DO UPDATE SET check_value = excluded.check_value
                """, arguments: [Data(values)])
    }

    /// What the store recognises its keys by; nil while it has none.
    static func checkValue(_ db: Database) throws -> [UInt8]? {
        try Data.fetchOne(db, sql: "SELECT check_value FROM payload_key").map(Array.init)
    }
}

extension SQLiteStore {
    /// The cipher to encrypt with; from the first time on the store knows its key.
    ///
    /// - Throws: ``StoreError`` when the key is missing, wrong or cannot be made.
    func sealingCipher() async throws -> PayloadCipher {
        // On the connection that writes next, so that staging opens no second one.
        let known = try await writeWithoutTransaction(keyring.cipherNow)
        if let known, known.isFirstKnown { return known }
        // Before the transaction: the key's file may have to be made, which takes the store's lock.
        if known == nil { _ = try keyring.firstCipher() }
        // Another process may have been faster, with the same key or with another.
        try await write(keyring.add)
        guard let cipher = try await writeWithoutTransaction(keyring.cipherNow) else {
            throw DamagedValue()
        }
        return cipher
    }
}

extension SQLiteStore {
    package func checkPayloadKey() async throws {
        _ = try await read(keyring.cipherInUse)
    }
}

extension PayloadCipher {
    /// How many bytes encryption has added to `n.sealed`, as SQL.
    static let addedBytes =
        "(\(overhead) + \(keyIDLength) * (substr(n.sealed, 1, 1) = x'0\(namedVersion)'))"
}
