import Synchronization

/// Finds the keys of a store's payloads at their first use, and checks that they are the right
/// ones.
///
/// Usually there is one key. While keys are exchanged there are more, of which the first encrypts.
/// The store keeps a check value for each key that may be in use, and refuses to work without one
/// of these keys.
package final class PayloadKeyring: Sendable {
    private let place: StorePlace
    private let source: PayloadKeySource
    private let file: PayloadKeyFile
    private let made: @Sendable (_ path: String) -> Void
    private let proven = Mutex<(values: [UInt8], cipher: PayloadCipher)?>(nil)

    /// `made` gets the file's path when it was made.
    package init(
        of place: StorePlace, source: PayloadKeySource, file: PayloadKeyFile,
        made: @escaping @Sendable (_ path: String) -> Void
    ) {
        self.place = place
        self.source = source
        self.file = file
        self.made = made
    }

    /// The cipher for what is already encrypted in the store; nil when nothing ever was.
    ///
    /// `checkValue` reads the store's check values on a connection that sees only committed data.
    ///
    /// - Throws: ``StoreError/noPayloadKey(_:file:)``, ``StoreError/wrongPayloadKey(_:file:)``, or
    ///   an error of the key file.
    package func cipherInUse(_ checkValue: () throws -> [UInt8]?) throws -> PayloadCipher? {
        if let proven = proven.withLock(\.self) { return proven.cipher }
        return try cipherNow(checkValue)
    }

    /// The same, after another look at the store's keys: nothing may be encrypted with a replaced
    /// one.
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

    /// The store's new check values once the first key at hand is used; nil where nothing changes,
    /// or the keys are not its.
    package func adding(to values: [UInt8]?) throws(StoreError) -> [UInt8]? {
        guard let values else { return try firstCipher().checkValue }
        let wrong = StoreError.wrongPayloadKey(place, file: file.path)
        guard
            let cipher = PayloadCipher(try knownKeys(), of: values, unknownKey: wrong),
            !cipher.isFirstKnown
        else { return nil }
        return values + cipher.checkValue
    }

    /// The cipher for decrypting; ``DamagedValue`` when nothing was ever encrypted here.
    package func cipher(_ checkValue: () throws -> [UInt8]?) throws -> PayloadCipher {
        guard let cipher = try cipherInUse(checkValue) else { throw DamagedValue() }
        return cipher
    }

    /// The cipher of a store without encrypted data; makes the key file where no key is given.
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

    package var path: String { file.path }

    /// Name hashes by keys derived from those at hand, in their order.
    package func nameHashes() throws(StoreError) -> [NameHash] {
        try keys().map { NameHash(derivedFrom: $0) }
    }

    /// Encrypts the key of a name hash with the first key at hand; nil where there is no key.
    package func seal(_ hash: NameHash) throws -> [UInt8]? {
        try keys().first.map { try hash.sealed(under: $0) }
    }

    /// Decrypts what ``seal(_:)`` encrypted; nil without the right key.
    package func nameHash(sealed: [UInt8]) throws(StoreError) -> NameHash? {
        for key in try keys() {
            do throws(DamagedValue) {
                return try NameHash(sealed: sealed, under: key)
            } catch {
                // The next key may fit.
                continue
            }
        }
        return nil
    }

    /// The keys at hand; none if the file is missing.
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

package enum PayloadKeySource: Sendable {
    /// A file, made at the first encryption: `<store>.key`, or `payload.key` in the folder of a
    /// host's keys.
    case fileBesideStore
    /// A key from the environment, and those that it replaces.
    case given(PayloadKey, earlier: [PayloadKey] = [])
}
