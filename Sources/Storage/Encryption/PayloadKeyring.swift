import CampaignCore
import Files
import Synchronization

/// Finds the keys of a store's payloads when they are first used, and checks that they are the
/// right keys.
///
/// The store keeps a check value for each key that may be in use, and it refuses to work if any of
/// these keys is missing.
package final class PayloadKeyring: Sendable {
    private let place: StoreComponent
    private let source: PayloadKeySource
    private let file: PayloadKeyFile
    private let made: @Sendable (_ path: String) -> Void
    private let proven = Mutex<(values: [UInt8], cipher: PayloadCipher)?>(nil)

    package init(
        of place: StoreComponent, source: PayloadKeySource, file: PayloadKeyFile,
        made: @escaping @Sendable (_ path: String) -> Void
    ) {
        self.place = place
        self.source = source
        self.file = file
        self.made = made
    }

    /// The cipher for the store's encrypted data; nil if nothing was ever encrypted.
    func cipherInUse(_ db: any SQLConnection) throws -> PayloadCipher? {
        if let proven = proven.withLock(\.self) { return proven.cipher }
        return try cipherNow(db)
    }

    /// Returns the cipher after checking the store's keys again, because a replaced key must not
    /// encrypt anything.
    func cipherNow(_ db: any SQLConnection) throws -> PayloadCipher? {
        try Self.checkValue(db).map(cipher(of:))
    }

    /// Returns the cipher for a store with these check values.
    package func cipher(of values: [UInt8]) throws -> PayloadCipher {
        if let proven = proven.withLock(\.self), proven.values == values { return proven.cipher }
        guard let cipher = PayloadCipher(try knownKeys(), of: values, unknownKey: wrongKey) else {
            throw wrongKey
        }
        proven.withLock { $0 = (values, cipher) }
        return cipher
    }

    /// Returns the cipher for decryption; throws ``DamagedValue`` if nothing was ever encrypted in
    /// this store.
    package func cipher(_ db: any SQLConnection) throws -> PayloadCipher {
        guard let cipher = try cipherInUse(db) else { throw DamagedValue() }
        return cipher
    }

    /// Returns the cipher for a store without encrypted data; creates the key file if no key is
    /// set.
    func firstCipher() throws(StoreError) -> PayloadCipher {
        if let first = try keys().first { return PayloadCipher(first) }
        let (key, isNew) = try file.readOrMake()
        if isNew { made(file.path) }
        return PayloadCipher(key)
    }

    /// Records the first key's check value if the available keys belong to the store.
    func add(_ db: any SQLConnection) throws {
        if let known = try Self.checkValue(db, db.dialect.forUpdate) {
            let cipher = PayloadCipher(try knownKeys(), of: known, unknownKey: wrongKey)
            guard let cipher, !cipher.isFirstKnown else { return }
            try Self.keep(known + cipher.checkValue, db)
        } else {
            try db.run(
                "INSERT INTO payload_key (check_value) VALUES (?1) ON CONFLICT DO NOTHING",
                [try firstCipher().checkValue])
        }
    }

    static func keep(_ values: [UInt8], _ db: any SQLConnection) throws {
        try db.run("UPDATE payload_key SET check_value = ?1", [values])
    }

    /// nil while the store has no key; `lock` is appended to the query.
    package static func checkValue(
        _ db: any SQLConnection, _ lock: String = ""
    ) throws -> [UInt8]? {
        try db.row("SELECT check_value FROM payload_key \(lock)") { try $0.bytes(0) }
    }

    package var path: String { file.path }

    private var wrongKey: StoreError { .wrongPayloadKey(place, file: path) }

    /// The name hashes whose keys are derived from the available keys, in the same order.
    package func nameHashes() throws(StoreError) -> [NameHash] {
        try keys().map { NameHash(derivedFrom: $0) }
    }

    /// Encrypts the key of a name hash with the first available key; returns nil if there is no
    /// key.
    package func seal(_ hash: NameHash) throws -> [UInt8]? {
        try keys().first.map { try hash.sealed(under: $0) }
    }

    /// Decrypts the result of ``seal(_:)``; returns nil without the right key.
    package func nameHash(sealed: [UInt8]) throws(StoreError) -> NameHash? {
        try keys().lazy.compactMap { try? NameHash(sealed: sealed, under: $0) }.first
    }

    /// The available keys; empty if the file is missing.
    private func keys() throws(StoreError) -> [PayloadKey] {
        switch source {
        case .given(let key, let earlier): [key] + earlier
        case .fileBesideStore: try file.readAll() ?? []
        }
    }

    private func knownKeys() throws(StoreError) -> [PayloadKey] {
        let keys = try keys()
        guard !keys.isEmpty else { throw .noPayloadKey(place, file: path) }
        return keys
    }
}

package enum PayloadKeySource: Sendable {
    /// A file that is created at the first encryption: `<store>.key`, or `payload.key` in the
    /// host's key folder.
    case fileBesideStore
    /// A key from the environment, and the keys that it replaces.
    case given(PayloadKey, earlier: [PayloadKey] = [])
}

extension RelationalStore {
    /// The cipher for encryption; its first use records the key in the store.
    package func sealingCipher() async throws -> PayloadCipher {
        let keyring = keyring
        let known = try await queryOnWriter(keyring.cipherNow)
        if let known, known.isFirstKnown { return known }
        if known == nil {
            // This is done before the transaction, because creating the key file may have to wait
            // for another process.
            try await BlockingWork.run { () throws(StoreError) in _ = try keyring.firstCipher() }
        }
        // Another process may have recorded the same key or a different one first.
        try await update(keyring.add)
        guard let cipher = try await queryOnWriter(keyring.cipherNow) else { throw DamagedValue() }
        return cipher
    }

    package func checkPayloadKey() async throws {
        let keyring = keyring
        _ = try await query(keyring.cipherInUse)
    }
}
