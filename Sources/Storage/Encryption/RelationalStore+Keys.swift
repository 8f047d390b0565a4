import CampaignCore
import Files

extension RelationalStore {
    /// The cipher to encrypt with; after the first time the store knows its key.
    package func sealingCipher() async throws -> PayloadCipher {
        let keyring = keyring
        let known = try await queryOnWriter(keyring.cipherNow)
        if let known, known.isFirstKnown { return known }
        if known == nil {
            // Before the transaction: the key's file may have to be made, after waiting for another
            // process that makes it.
            _ = try await BlockingWork.run { () throws(StoreError) in try keyring.firstCipher() }
        }
        // Another process may have been faster, with the same or another key.
        try await update(keyring.add)
        guard let cipher = try await queryOnWriter(keyring.cipherNow) else { throw DamagedValue() }
        return cipher
    }

    package func checkPayloadKey() async throws {
        let keyring = keyring
        _ = try await query(keyring.cipherInUse)
    }
}

extension PayloadKeyring {
    /// nil when nothing was ever encrypted here.
    fileprivate func cipherInUse(_ db: any SQLConnection) throws -> PayloadCipher? {
        try cipherInUse { try Self.checkValue(db) }
    }

    package func cipher(_ db: any SQLConnection) throws -> PayloadCipher {
        try cipher { try Self.checkValue(db) }
    }

    func cipherNow(_ db: any SQLConnection) throws -> PayloadCipher? {
        try cipherNow { try Self.checkValue(db) }
    }

    /// Records the first key's check value, if the keys at hand are the store's.
    fileprivate func add(_ db: any SQLConnection) throws {
        let known = try Self.checkValue(db, db.dialect.forUpdate)
        guard let values = try adding(to: known) else { return }
        guard known == nil else { return try Self.keep(values, db) }
        try db.run(
            "INSERT INTO payload_key (check_value) VALUES (?1) ON CONFLICT DO NOTHING", [values])
    }

    static func keep(_ values: [UInt8], _ db: any SQLConnection) throws {
        try db.run("UPDATE payload_key SET check_value = ?1", [values])
    }

    /// nil while the store has no key; `lock` ends the query.
    package static func checkValue(
        _ db: any SQLConnection, _ lock: String = ""
    ) throws -> [UInt8]? {
        try db.row("SELECT check_value FROM payload_key \(lock)") { try $0.bytes(0) }
    }
}
