import Synchronization

/// Finds the key of a store's payloads when it is needed for the first time, and makes sure that it is the right one.
package final class PayloadKeyring: Sendable {
    private let place: StorePlace
    private let source: PayloadKeySource
    private let file: PayloadKeyFile
    private let made: @Sendable (_ path: String) -> Void
    private let proven = Mutex<PayloadCipher?>(nil)

    /// - Parameters:
    ///   - place: the store.
    ///   - source: where its key comes from.
    ///   - file: the file of its key, where none is given.
    ///   - made: told, with its path, when that file was made.
    package init(
        of place: StorePlace, source: PayloadKeySource, file: PayloadKeyFile,
        made: @escaping @Sendable (_ path: String) -> Void
    ) {
        self.place = place
        self.source = source
        self.file = file
        self.made = made
    }

    /// The cipher for what is already encrypted in the store.
    ///
    /// - Parameter checkValue: reads what the store keeps to recognise its key, by a connection that sees nothing but what is
    ///   committed; nil when nothing was ever encrypted here.
    /// - Returns: nil when nothing was ever encrypted here.
    /// - Throws: ``StoreError/noPayloadKey(_:file:)``, ``StoreError/wrongPayloadKey(_:file:)``, or why the key file cannot be used.
    package func cipherInUse(_ checkValue: () throws -> [UInt8]?) throws -> PayloadCipher? {
        if let cipher = proven.withLock(\.self) { return cipher }
        guard let value = try checkValue() else { return nil }
        let cipher = PayloadCipher(try knownKey())
        guard cipher.checkValue == value else {
            throw StoreError.wrongPayloadKey(place, file: file.path)
        }
        proven.withLock { $0 = cipher }
        return cipher
    }

    /// The cipher, to decrypt something with.
    ///
    /// - Throws: as ``cipherInUse(_:)``; ``DamagedValue`` when nothing was ever encrypted here.
    package func cipher(_ checkValue: () throws -> [UInt8]?) throws -> PayloadCipher {
        guard let cipher = try cipherInUse(checkValue) else { throw DamagedValue() }
        return cipher
    }

    /// The cipher of a store that holds nothing encrypted yet; makes the key file where no key is given.
    ///
    /// - Throws: ``StoreError`` when the key file cannot be used or made.
    package func firstCipher() throws(StoreError) -> PayloadCipher {
        switch source {
        case .given(let key): return PayloadCipher(key)
        case .fileBesideStore:
            let (key, isNew) = try file.readOrMake()
            if isNew { made(file.path) }
            return PayloadCipher(key)
        }
    }

    /// Where the key's file is, or would be.
    package var path: String { file.path }

    /// What recognises names by a key that is derived from the one at hand, which is not looked at further.
    ///
    /// - Returns: nil where there is no key.
    /// - Throws: ``StoreError`` when the key file cannot be used.
    package func nameHash() throws(StoreError) -> NameHash? {
        try key().map { NameHash(derivedFrom: $0) }
    }

    /// Encrypts what recognises names by a key of its own, under the key at hand.
    ///
    /// - Returns: nil where there is no key.
    /// - Throws: ``StoreError`` when the key file cannot be used; `CryptoKitError` when the system has no randomness.
    package func seal(_ hash: NameHash) throws -> [UInt8]? {
        try key().map { try hash.sealed(under: $0) }
    }

    /// What ``seal(_:)`` has encrypted.
    ///
    /// - Returns: nil where there is no key, or another one.
    /// - Throws: ``StoreError`` when the key file cannot be used.
    package func nameHash(sealed: [UInt8]) throws(StoreError) -> NameHash? {
        guard let key = try key() else { return nil }
        return try? NameHash(sealed: sealed, under: key)
    }

    private func key() throws(StoreError) -> PayloadKey? {
        switch source {
        case .given(let key): key
        case .fileBesideStore: try file.read()
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
    /// A file, which is made when something is to be encrypted for the first time: `<store>.key`, or `payload.key` in the folder of a
    /// host's keys where the store is on a server.
    case fileBesideStore
    /// A key that the environment names.
    case given(PayloadKey)
}
