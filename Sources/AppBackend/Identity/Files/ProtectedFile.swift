// The compiler takes `stat` from whichever of its two modules it reads first.
import CoreFoundation
import Glibc

/// A file that a setting names and that others must not be able to change, or for secrets to read.
struct ProtectedFile: Hashable, Sendable {
    let role: FileRole
    /// Links are followed, since whoever named it may read it.
    let path: String

    /// Reads all of it.
    ///
    /// - Throws: ``IdentityFault/file(_:path:_:)`` when it is missing, unsafe, too long or no
    ///   regular file.
    func read() throws(IdentityFault) -> [UInt8] {
        // A FIFO must not make the program wait, a terminal must not become its own.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw fault(.unreadable(reason: SystemWords.last)) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw fault(.unreadable(reason: SystemWords.last))
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw fault(.notRegular) }
        guard !role.isSecret || status.st_mode & 0o044 == 0 else {
            throw fault(.readableByOthers)
        }
        guard status.st_mode & 0o022 == 0 else { throw fault(.writableByOthers) }
        return try contents(of: descriptor)
    }

    private func contents(of descriptor: Int32) throws(IdentityFault) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(role.limit + 1, 64 << 10))
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                guard errno == EINTR else { throw fault(.unreadable(reason: SystemWords.last)) }
                continue
            }
            guard bytes.count + count <= role.limit else {
                throw fault(.tooLong(limit: role.limit))
            }
            bytes += buffer[..<count]
        }
    }

    private func fault(_ fault: FileFault) -> IdentityFault {
        .file(role, path: path, fault)
    }
}
