package import CampaignCore
import Files

/// A file that holds a key, such as the master key of a store's payloads.
package struct PayloadKeyFile: Sendable {
    /// More than any text of a key.
    private static let maximumLength = 1024

    package let path: String
    /// Whom the file has to belong to.
    private let owner: UInt32
    private let takeTurn: @Sendable () throws(StoreError) -> any HeldCampaignLock

    var place: StorePlace { .payloadKey(path: path) }

    /// - Parameters:
    ///   - path: the file.
    ///   - owner: whom it has to belong to.
    ///   - takeTurn: waits until no other process makes it, and keeps others away until it is released.
    package init(
        at path: String, owner: UInt32,
        takeTurn: @escaping @Sendable () throws(StoreError) -> any HeldCampaignLock
    ) {
        self.path = path
        self.owner = owner
        self.takeTurn = takeTurn
    }

    /// Reads the key; nil when there is no file.
    ///
    /// - Throws: ``StoreError`` when it is another user's, when others can reach it, or when it holds no key, or several.
    package func read() throws(StoreError) -> PayloadKey? {
        guard let keys = try readAll() else { return nil }
        guard keys.count == 1 else { throw .notAKey(place) }
        return keys[0]
    }

    /// Reads the keys, of which the first encrypts; nil when there is no file.
    ///
    /// - Throws: as ``read()``.
    func readAll() throws(StoreError) -> [PayloadKey]? {
        let bytes: [UInt8]
        do {
            bytes = try ProtectedFile.read(
                path, .secret, limit: Self.maximumLength, followingLinks: false, user: owner)
        } catch {
            switch error {
            case .unreadable(let fault) where fault.kind == .missing: return nil
            case .unreadable(let fault): throw StoreError(fault, at: place)
            case .ownedByAnother(let owner, _): throw .ownedByAnother(place, owner)
            case .readableByOthers, .writableByOthers: throw .unprotected(place, error)
            case .notRegular, .tooLong: throw .notAKey(place)
            }
        }
        guard let keys = PayloadKey.all(in: String(decoding: bytes, as: UTF8.self)) else {
            throw .notAKey(place)
        }
        return keys
    }

    /// Reads the key, or makes one; two processes that do so at once get the same.
    ///
    /// - Returns: the key, durable, and whether it was made by this call.
    /// - Throws: ``StoreError``, as ``read()``, or when the file cannot be written.
    package func readOrMake() throws(StoreError) -> (key: PayloadKey, isNew: Bool) {
        if let key = try read() { return (key, false) }
        let turn = try takeTurn()
        defer { turn.release() }
        // Another process may have made it while this one waited.
        if let key = try read() { return (key, false) }
        let key = PayloadKey.random()
        try place.access { () throws(SystemFault) in
            try FileReplacement.write(
                (key.encoded + "\n").utf8, to: path, isOnlyWriter: true)
        }
        return (key, true)
    }
}
