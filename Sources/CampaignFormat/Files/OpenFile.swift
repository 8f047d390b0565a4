import Glibc

/// A file or folder that is open for reading; closed when nobody needs it any more.
final class OpenFile: Sendable {
    /// How files are opened: a FIFO must not make the program wait, a terminal must not become its own.
    static let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY

    let descriptor: Int32

    /// Takes over a descriptor.
    private init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Opens a path that the caller chose, links followed.
    static func open(path: String) throws(SystemFault) -> OpenFile {
        let descriptor = unsafe Glibc.open(path, flags)
        guard descriptor >= 0 else { throw .last }
        return OpenFile(owning: descriptor)
    }

    /// Opens one component of a path in this folder; a link is not followed and fails with `ELOOP`.
    func open(component: String) throws(SystemFault) -> OpenFile {
        let descriptor = unsafe openat(self.descriptor, component, Self.flags | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .last }
        return OpenFile(owning: descriptor)
    }

    /// Where a link in this folder points.
    func target(ofLink component: String) throws(SystemFault) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlinkat(descriptor, component, &buffer, buffer.count)
        guard count >= 0 else { throw .last }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// What it is: type, mode, size, identity.
    func status() throws(SystemFault) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
        return status
    }

    /// Reads on into a part of a buffer.
    ///
    /// - Returns: how many bytes came; 0 at the end.
    func read(into buffer: inout [UInt8], from offset: Int) throws(SystemFault) -> Int {
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
                return unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw .last }
        }
    }

    /// Reads all of it.
    ///
    /// - Parameter limit: more bytes than this are not read.
    /// - Returns: the bytes, or nil when there are more.
    /// - Throws: ``SystemFault``.
    func contents(limit: Int) throws(SystemFault) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(limit + 1, 256 << 10))
        while true {
            let count = try read(into: &buffer, from: 0)
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else { return nil }
            bytes += buffer[..<count]
        }
    }
}

extension stat {
    /// Whether it is an ordinary file.
    var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
    /// Whether it is a folder.
    var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
}
