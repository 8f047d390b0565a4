import FoundationEssentials
import GRDB
import Synchronization

/// Finds the key of a store's payloads when it is needed for the first time, and makes sure that it is the right one.
final class PayloadKeyring: Sendable {
    private let place: StorePlace
    private let source: PayloadKeySource
    private let file: PayloadKeyFile
    private let made: @Sendable (_ path: String) -> Void
    private let proven = Mutex<PayloadCipher?>(nil)

    init(besideStoreAt path: String, options: StoreOptions) {
        place = .store(path: path)
        source = options.payloadKey
        file = PayloadKeyFile(besideStoreAt: path, owner: options.owner)
        made = options.payloadKeyMade
    }

    /// The cipher for what is already encrypted in the store.
    ///
    /// - Parameter db: any connection that sees nothing but what is committed.
    /// - Returns: nil when nothing was ever encrypted here.
    /// - Throws: ``StoreError/noPayloadKey(_:file:)``, ``StoreError/wrongPayloadKey(_:file:)``, or why the key file cannot be used.
    fileprivate func cipherInUse(_ db: Database) throws -> PayloadCipher? {
        if let cipher = proven.withLock(\.self) { return cipher }
        let value = try Data.fetchOne(db, sql: "SELECT check_value FROM payload_key")
        guard let value else { return nil }
        let cipher = PayloadCipher(try knownKey())
        guard cipher.checkValue == Array(value) else {
            throw StoreError.wrongPayloadKey(place, file: file.path)
        }
        proven.withLock { $0 = cipher }
        return cipher
    }

    /// The cipher, to decrypt something with.
    ///
    /// - Throws: as ``cipherInUse(_:)``; `DatabaseError.damaged` when nothing was ever encrypted here.
    func cipher(_ db: Database) throws -> PayloadCipher {
        guard let cipher = try cipherInUse(db) else { throw DatabaseError.damaged }
        return cipher
    }

    /// The cipher of a store that holds nothing encrypted yet; makes the key file where no key is given.
    ///
    /// - Throws: ``StoreError`` when the key file cannot be used or made.
    fileprivate func firstCipher() throws(StoreError) -> PayloadCipher {
        switch source {
        case .given(let key): return PayloadCipher(key)
        case .fileBesideStore:
            let (key, isNew) = try file.readOrMake()
            if isNew { made(file.path) }
            return PayloadCipher(key)
        }
    }

    private func knownKey() throws(StoreError) -> PayloadKey {
        switch source {
        case .given(let key): return key
        case .fileBesideStore:
            guard let key = try file.read() else {
                throw .noPayloadKey(place, file: file.path)
            }
            return key
        }
    }
}

/// Where the key of a store's payloads comes from.
package enum PayloadKeySource: Sendable {
    /// The file `<store>.key`, which is made when something is to be encrypted for the first time.
    case fileBesideStore
    /// A key that the environment names.
    case given(PayloadKey)
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
