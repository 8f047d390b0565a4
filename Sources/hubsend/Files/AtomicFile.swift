import Foundation

/// A file that is written whole or not at all: under a temporary name beside its place, then renamed.
///
/// Mode 0600 unless it is said otherwise, since reports name people.
final class AtomicFile {
    private let path: String
    private let temporary: String
    private let handle: FileHandle
    private var isDone = false

    /// Begins to write.
    ///
    /// - Parameters:
    ///   - path: where the file shall be; its folder is made when it is missing.
    ///   - mode: who may do what with it.
    /// - Throws: ``CommandFailure`` when it cannot be made.
    init(path: String, mode: mode_t = 0o600) throws {
        let folder = FilePath.folder(of: path)
        self.path = path
        self.temporary = path + ".\(getpid()).tmp"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw Self.failure(path, "its folder cannot be made")
        }
        unsafe unlink(temporary)
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path, SystemError.last) }
        self.handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // Whatever the mask of the process is.
        guard fchmod(descriptor, mode) == 0 else { throw Self.failure(path, SystemError.last) }
    }

    deinit {
        if !isDone { unsafe unlink(temporary) }
    }

    /// Appends bytes.
    ///
    /// - Throws: ``CommandFailure`` when the disk is full or gone.
    func write(_ bytes: [UInt8]) throws {
        do {
            try handle.write(contentsOf: Data(bytes))
        } catch {
            throw Self.failure(path, SystemError.last)
        }
    }

    /// Puts the file in its place, durably.
    ///
    /// - Throws: ``CommandFailure``; what stood at the place before still stands.
    func commit() throws {
        guard fsync(handle.fileDescriptor) == 0, unsafe rename(temporary, path) == 0 else {
            throw Self.failure(path, SystemError.last)
        }
        isDone = true
        let folder = unsafe open(
            FilePath.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Self.failure(path, SystemError.last) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw Self.failure(path, SystemError.last) }
    }

    private static func failure(_ path: String, _ why: String) -> CommandFailure {
        CommandFailure(.configuration, "The file \(path) cannot be written: \(why).")
    }
}
