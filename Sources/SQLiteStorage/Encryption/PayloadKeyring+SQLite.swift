import FoundationEssentials
import GRDB
import Storage

extension PayloadKeyring {
    convenience init(besideStoreAt path: String, options: StoreOptions) {
        self.init(
            of: .store(path: path), source: options.payloadKey,
            file: PayloadKeyFile(besideStoreAt: path, owner: options.owner),
            made: options.payloadKeyMade)
    }

    /// nil when nothing was ever encrypted here.
    fileprivate func cipherInUse(_ db: Database) throws -> PayloadCipher? {
        try cipherInUse { try Self.checkValue(db) }
    }

    func cipher(_ db: Database) throws -> PayloadCipher {
        try cipher { try Self.checkValue(db) }
    }

    func cipherNow(_ db: Database) throws -> PayloadCipher? {
        try cipherNow { try Self.checkValue(db) }
    }

    /// Records the first key's check value, if the keys at hand are the store's.
    fileprivate func add(_ db: Database) throws {
        guard let values = try adding(to: Self.checkValue(db)) else { return }
        try keep(values, db)
    }

    func keep(_ values: [UInt8], _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO payload_key (only, check_value) VALUES (1, ?)
                ON CONFLICT (only) DO UPDATE SET check_value = excluded.check_value
                """, arguments: [Data(values)])
    }

    /// nil while the store has no key.
    static func checkValue(_ db: Database) throws -> [UInt8]? {
        try Data.fetchOne(db, sql: "SELECT check_value FROM payload_key").map(Array.init)
    }
}

extension SQLiteStore {
    /// The cipher to encrypt with; after the first time the store knows its key.
    func sealingCipher() async throws -> PayloadCipher {
        // On the connection that writes next, so that staging opens no second one.
        let known = try await writeWithoutTransaction(keyring.cipherNow)
        if let known, known.isFirstKnown { return known }
        // Before the transaction, since the key's file may have to be made under the store's lock.
        if known == nil { _ = try keyring.firstCipher() }
        // Another process may have been faster, with the same or another key.
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
