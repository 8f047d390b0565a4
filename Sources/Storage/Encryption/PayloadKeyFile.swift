import Files

/// A file beside a store that holds a key: `<store>.key` the master key of its payloads.
struct PayloadKeyFile {
    /// More than any text of a key.
    private static let maximumLength = 1024

    let path: String
    private let store: String
    /// Whom the file has to belong to.
    private let owner: UInt32

    var place: StorePlace { .payloadKey(path: path) }

    /// - Parameters:
    ///   - store: the store's file.
    ///   - ending: what its name has behind the store's.
    ///   - owner: whom it has to belong to.
    init(besideStoreAt store: String, ending: String = ".key", owner: UInt32) {
        self.path = store + ending
        self.store = store
        self.owner = owner
    }

    /// Reads the key; nil when there is no file.
    ///
    /// - Throws: ``StoreError`` when it is another user's, when others can reach it, or when it holds no key.
    func read() throws(StoreError) -> PayloadKey? {
        let bytes: [UInt8]
        do {
            bytes = try ProtectedFile.read(
                path, .secret, limit: Self.maximumLength, followingLinks: false, user: owner)
        } catch {
            switch error {
            case .unreadable(let fault) where fault.kind == .missing: return nil
            case .unreadable(let fault): throw StoreError(fault, at: place)
            case .ownedByAnother: throw .ownedByAnother(place)
            case .readableByOthers, .writableByOthers: throw .readableByOthers(place)
            case .notRegular, .tooLong: throw .notAKey(place)
            }
        }
        guard let key = PayloadKey(String(decoding: bytes, as: UTF8.self)) else {
            throw .notAKey(place)
        }
        return key
    }

    /// Reads the key, or makes one; two processes that do so at once get the same.
    ///
    /// - Returns: the key, durable, and whether it was made by this call.
    /// - Throws: ``StoreError``, as ``read()``, or when the file cannot be written.
    func readOrMake() throws(StoreError) -> (key: PayloadKey, isNew: Bool) {
        if let key = try read() { return (key, false) }
        guard let inode = try StoreInode.find(store, isWritable: true) else {
            throw .replaced(.store(path: store))
        }
        let turn = try inode.waitForTurn()
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
