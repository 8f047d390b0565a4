package import CampaignCore
import Files

package struct PayloadKeyFile: Sendable {
    /// A length that no valid key file exceeds.
    private static let maximumLength = 1024

    package let path: String
    private let owner: UInt32
    private let takeTurn: @Sendable () throws(StoreError) -> any HeldCampaignLock

    var place: StoreComponent { .payloadKey(path: path) }

    /// `takeTurn` waits until no other process is creating the file, and excludes others until it
    /// is released.
    package init(
        at path: String, owner: UInt32,
        takeTurn: @escaping @Sendable () throws(StoreError) -> any HeldCampaignLock
    ) {
        self.path = path
        self.owner = owner
        self.takeTurn = takeTurn
    }

    /// Reads the key; nil if there is no file.
    ///
    /// Throws if other users can access the file or it does not contain exactly one key.
    package func read() throws(StoreError) -> PayloadKey? {
        guard let keys = try readAll() else { return nil }
        guard keys.count == 1 else { throw .notAKey(place) }
        return keys[0]
    }

    /// Reads the keys, with the one that encrypts first; nil if there is no file.
    func readAll() throws(StoreError) -> [PayloadKey]? {
        let bytes: [UInt8]
        do {
            bytes = try ProtectedFile.read(
                path, .secret, limit: Self.maximumLength, followingLinks: false, user: owner)
        } catch {
            switch error {
            case .unreadable(let problem) where problem.kind == .missing: return nil
            case .unreadable(let problem): throw StoreError(problem, at: place)
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

    /// Reads the key or durably creates it; concurrent processes get the same key.
    package func readOrMake() throws(StoreError) -> (key: PayloadKey, isNew: Bool) {
        if let key = try read() { return (key, false) }
        let turn = try takeTurn()
        defer { turn.release() }
        // Another process may have created the key while this one waited.
        if let key = try read() { return (key, false) }
        let key = PayloadKey.random()
        try place.access { () throws(SystemError) in
            try FileReplacement.write(
                (key.encoded + "\n").utf8, to: path, isOnlyWriter: true)
        }
        return (key, true)
    }
}
