import Glibc

/// Where scratch files are made.
struct ScratchArea {
    let place: StorePlace
    /// Nil where nothing can be written, as in a read-only checkout: then memory has to do.
    private let folder: String?
    /// Bytes of a file, or of a sorter, that stay in memory.
    let memory: Int

    /// - Parameters:
    ///   - folder: an existing folder.
    ///   - memory: how many bytes stay in memory.
    init(folder: String, memory: Int) {
        self.init(
            folder: folder, isWritable: unsafe access(folder, W_OK) == 0, memory: memory)
    }

    init(folder: String, isWritable: Bool, memory: Int) {
        self.place = .scratch(folder: folder)
        self.folder = isWritable ? folder : nil
        self.memory = memory
    }

    /// Bytes of a file that stay in memory.
    var fileMemory: Int { folder == nil ? .max : memory }

    /// Makes a file that has no name any more, mode 0600.
    ///
    /// - Returns: its descriptor.
    /// - Throws: ``StoreError``.
    func open() throws(StoreError) -> Int32 {
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        let path = "\(folder ?? "")/.hubsend-scratch-\(number)"
        let descriptor = unsafe Glibc.open(
            path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFault.error(errno, at: place) }
        guard unsafe unlink(path) == 0 else {
            let code = errno
            close(descriptor)
            throw SystemFault.error(code, at: place)
        }
        return descriptor
    }
}
