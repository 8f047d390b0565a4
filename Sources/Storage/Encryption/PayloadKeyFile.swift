import Glibc

/// The file `<store>.key`, which holds the master key of one store's payloads.
struct PayloadKeyFile {
    /// More than any text of a key.
    private static let maximumLength = 1024

    let path: String
    private let store: String
    /// Whom the file has to belong to.
    private let owner: UInt32

    var place: StorePlace { .payloadKey(path: path) }

    init(besideStoreAt store: String, owner: UInt32) {
        self.path = store + ".key"
        self.store = store
        self.owner = owner
    }

    /// Reads the key; nil when there is no file.
    ///
    /// - Throws: ``StoreError`` when it is another user's, when others can reach it, or when it holds no key.
    func read() throws(StoreError) -> PayloadKey? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw SystemFault.error(errno, at: place)
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw SystemFault.error(errno, at: place)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAKey(place) }
        guard status.st_uid == owner else { throw .ownedByAnother(place) }
        guard status.st_mode & 0o077 == 0 else { throw .readableByOthers(place) }
        var bytes = [UInt8](repeating: 0, count: Self.maximumLength)
        let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw SystemFault.error(errno, at: place) }
        guard let key = PayloadKey(String(decoding: bytes.prefix(count), as: UTF8.self)) else {
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
        let turn = try LockFile(besideStoreAt: store).waitForOpening()
        defer { turn.release() }
        // Another process may have made it while this one waited.
        if let key = try read() { return (key, false) }
        let key = PayloadKey.random()
        try write(key)
        return (key, true)
    }

    /// Puts the whole file in place at once: nobody ever reads half a key.
    private func write(_ key: PayloadKey) throws(StoreError) {
        let draft = path + ".new"
        // What a killed process left; nothing was encrypted with it.
        guard unsafe unlink(draft) == 0 || errno == ENOENT else {
            throw SystemFault.error(errno, at: place)
        }
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFault.error(errno, at: place) }
        defer { close(descriptor) }
        let text = Array((key.encoded + "\n").utf8)
        let count = unsafe Glibc.write(descriptor, text, text.count)
        guard count >= 0 else { throw SystemFault.error(errno, at: place) }
        guard count == text.count else { throw .diskFull(place) }
        guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0,
            unsafe rename(draft, path) == 0
        else { throw SystemFault.error(errno, at: place) }
        try StoreFolder.sync(FilePath.folder(of: path), at: place)
    }
}
