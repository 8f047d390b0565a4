import FoundationEssentials
import GRDB

extension SQLiteStore {
    /// The cipher to encrypt with; from the first time on the store knows its key.
    ///
    /// - Throws: ``StoreError`` when the key is missing, wrong or cannot be made.
    func sealingCipher() async throws -> PayloadCipher {
        // On the connection that writes next, so that staging opens no second one.
        let known = try await pool.uninterruptedWriteWithoutTransaction(
            place, keyring.cipherInUse)
        if let known { return known }
        let value = try keyring.firstCipher().checkValue
        try await write { db in
            // Another process may have been faster, with the same key or with another.
            try db.execute(
                sql: "INSERT OR IGNORE INTO payload_key (only, check_value) VALUES (1, ?)",
                arguments: [Data(value)])
        }
        return try await pool.uninterruptedWriteWithoutTransaction(place, keyring.cipher)
    }
}
