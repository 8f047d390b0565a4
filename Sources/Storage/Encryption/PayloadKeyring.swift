import Synchronization

/// Finds the keys of a store's payloads when they are needed for the first time, and makes sure that they are the right ones.
///
/// As a rule there is one. While keys are exchanged there are more, of which the first encrypts. The store keeps a value for each key
/// with which something in it may be encrypted, one behind the other, and works for nobody who lacks one of them.
package final class PayloadKeyring: Sendable {
    private let place: StorePlace
    private let source: PayloadKeySource
    private let file: PayloadKeyFile
    private let made: @Sendable (_ path: String) -> Void
    private let proven = Mutex<(values: [UInt8], cipher: PayloadCipher)?>(nil)

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
        if let proven = proven.withLock(\.self) { return proven.cipher }
        return try cipherNow(checkValue)
    }

    /// The same, after a look at the store's keys, which may have changed since: nothing may be encrypted with one that was replaced.
    ///
    /// - Throws: as ``cipherInUse(_:)``.
    package func cipherNow(_ checkValue: () throws -> [UInt8]?) throws -> PayloadCipher? {
        guard let values = try checkValue() else { return nil }
        if let proven = proven.withLock(\.self), proven.values == values { return proven.cipher }
        let wrong = StoreError.wrongPayloadKey(place, file: file.path)
        guard let cipher = PayloadCipher(try knownKeys(), of: values, unknownKey: wrong) else {
            throw wrong
        }
        proven.withLock { $0 = (values, cipher) }
        return cipher
    }

    /// What the store keeps to recognise its keys once the first of those at hand is used.
    ///
    /// - Parameter values: what it keeps now; nil: nothing.
    /// - Returns: nil where nothing has to be changed, or the keys at hand are not the store's.
    /// - Throws: ``StoreError`` when the key file cannot be used.
    package func adding(to values: [UInt8]?) throws(StoreError) -> [UInt8]? {
        guard let values else { return try firstCipher().checkValue }
        let wrong = StoreError.wrongPayloadKey(place, file: file.path)
        guard
            let cipher = PayloadCipher(try knownKeys(), of: values, unknownKey: wrong),
            !cipher.isFirstKnown
        else { return nil }
        return values + cipher.checkValue
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
        case .given(let key, _): return PayloadCipher(key)
        case .fileBesideStore:
            if let first = try file.readAll()?.first { return PayloadCipher(first) }
            let (key, isNew) = try file.readOrMake()
            if isNew { made(file.path) }
            return PayloadCipher(key)
        }
    }

    /// Where the key's file is, or would be.
    package var path: String { file.path }

    /// What recognises names by a key that is derived from one of those at hand, which are not looked at further; in their order.
    ///
    /// - Throws: ``StoreError`` when the key file cannot be used.
    package func nameHashes() throws(StoreError) -> [NameHash] {
        try keys().map { NameHash(derivedFrom: $0) }
    }

    /// Encrypts what recognises names by a key of its own, under the first key at hand.
    ///
    /// - Returns: nil where there is no key.
    /// - Throws: ``StoreError`` when the key file cannot be used; `CryptoKitError` when the system has no randomness.
    package func seal(_ hash: NameHash) throws -> [UInt8]? {
        try keys().first.map { try hash.sealed(under: $0) }
    }

    /// What ``seal(_:)`` has encrypted.
    ///
    /// - Returns: nil where there is no key, or none of these.
    /// - Throws: ``StoreError`` when the key file cannot be used.
    package func nameHash(sealed: [UInt8]) throws(StoreError) -> NameHash? {
        for key in try keys() {
            do throws(DamagedValue) {
                return try NameHash(sealed: sealed, under: key)
            } catch {
                // Perhaps the next.
                continue
            }
        }
        return nil
    }

    /// The keys at hand; none where the file is missing.
    private func keys() throws(StoreError) -> [PayloadKey] {
        switch source {
        case .given(let key, let earlier): [key] + earlier
        case .fileBesideStore: try file.readAll() ?? []
        }
    }

    private func knownKeys() throws(StoreError) -> [PayloadKey] {
        let keys = try keys()
        guard !keys.isEmpty else { throw .noPayloadKey(place, file: file.path) }
        return keys
    }
}

/// Where the key of a store's payloads comes from.
package enum PayloadKeySource: Sendable {
    /// A file, which is made when something is to be encrypted for the first time: `<store>.key`, or `payload.key` in the folder of a
    /// host's keys where the store is on a server.
    case fileBesideStore
    /// A key that the environment names, and those that it takes the place of.
    case given(PayloadKey, earlier: [PayloadKey] = [])
}
