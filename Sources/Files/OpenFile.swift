import Glibc
import SystemPackage

/// An open file or folder, closed with its last reference and not inherited by child processes.
package final class OpenFile: Sendable {
    package enum Purpose: Hashable, Sendable {
        /// Reading, where a pipe does not block.
        case reading
        /// Writing a new file; fails if the file exists.
        case creating
        /// Appending; creates a missing file.
        case appending
        /// Writing to an existing pipe or device, which may block.
        case streaming
        /// Locking; creates a missing file.
        case locking
        /// Reading, writing or locking an existing file.
        case updating
        /// Syncing the names in a folder.
        case folder

        fileprivate var access: FileDescriptor.AccessMode {
            switch self {
            case .reading, .folder: .readOnly
            case .appending, .streaming: .writeOnly
            case .creating, .locking, .updating: .readWrite
            }
        }

        fileprivate var options: FileDescriptor.OpenOptions {
            switch self {
            case .reading, .updating: .nonBlocking
            case .creating: [.create, .exclusiveCreate]
            case .appending: [.append, .create, .nonBlocking]
            case .streaming: .append
            case .locking: [.create, .nonBlocking]
            case .folder: .directory
            }
        }
    }

    private static let block = 256 << 10

    let descriptor: Int32

    private var file: FileDescriptor { FileDescriptor(rawValue: descriptor) }

    /// Opens a file; a new file has at most mode 0600, reduced by the process's umask.
    ///
    /// A link that may not be followed is an error of the kind `link`.
    package init(
        _ path: String, for purpose: Purpose, followingLinks: Bool = true, mode: UInt32 = 0o600
    ) throws(SystemError) {
        let options = Self.options(for: purpose, followingLinks: followingLinks)
        descriptor = try SystemError.of {
            unsafe try FileDescriptor.open(
                path, purpose.access, options: options, permissions: FilePermissions(rawValue: mode)
            )
        }.rawValue
    }

    /// Opens a file like ``init(_:for:followingLinks:mode:)``; nil if it is missing.
    package static func find(
        _ path: String, for purpose: Purpose, followingLinks: Bool = true
    ) throws(SystemError) -> OpenFile? {
        do throws(SystemError) {
            return try OpenFile(path, for: purpose, followingLinks: followingLinks)
        } catch {
            guard error.kind == .missing else { throw error }
            return nil
        }
    }

    /// Opens one component of a path in a folder; a link or several components are an error of the
    /// kind `link`.
    package init(
        component: String, in folder: OpenFile, for purpose: Purpose
    ) throws(SystemError) {
        // A slash would lead to another folder, and the system would ignore everything after a zero
        // byte.
        guard !component.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }) else {
            throw SystemError(number: EINVAL)
        }
        let options = Self.options(for: purpose, followingLinks: false)
        var opened: Int32
        repeat {
            opened = unsafe openat(
                folder.descriptor, component, purpose.access.rawValue | options.rawValue,
                FilePermissions.ownerReadWrite.rawValue)
        } while opened < 0 && errno == EINTR
        guard opened >= 0 else { throw .last }
        descriptor = opened
    }

    /// Creates a file without a name in the folder of another file, and allocates space for it.
    package init(namelessBeside path: String, bytes: Int) throws(SystemError) {
        let path = "\(path).\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).tmp"
        descriptor = try SystemError.of {
            unsafe try FileDescriptor.open(
                path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
        }.rawValue
        _ = unsafe unlink(path)
        let number = posix_fallocate(descriptor, 0, Int(bytes))
        // Some file systems cannot allocate space in advance.
        guard number == 0 || number == EINVAL || number == EOPNOTSUPP else {
            throw SystemError(number: number)
        }
    }

    deinit {
        close(descriptor)
    }

    private static func options(
        for purpose: Purpose, followingLinks: Bool
    ) -> FileDescriptor.OpenOptions {
        // A terminal must not become the program's controlling terminal.
        let always: FileDescriptor.OpenOptions = [
            .closeOnExec, FileDescriptor.OpenOptions(rawValue: O_NOCTTY),
        ]
        return purpose.options.union(always).union(followingLinks ? [] : .noFollow)
    }

    // MARK: Attributes

    /// Gives access to the descriptor for other calls, such as those about terminals.
    package func withDescriptor<Value>(_ calls: (Int32) -> Value) -> Value {
        withExtendedLifetime(self) { calls(descriptor) }
    }

    package func status() throws(SystemError) -> FileStatus {
        try FileStatus(descriptor: descriptor)
    }

    package func target(ofLink component: String) throws(SystemError) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlinkat(descriptor, component, &buffer, buffer.count)
        guard count >= 0 else { throw .last }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Sets the mode regardless of the process's umask.
    package func setMode(_ mode: UInt32) throws(SystemError) {
        guard fchmod(descriptor, mode) == 0 else { throw .last }
    }

    // MARK: Reading

    /// Continues to read, into a part of a buffer; returns the number of bytes, or 0 at the end.
    package func read(
        into buffer: inout [UInt8], from offset: Int
    ) throws(SystemError) -> Int {
        try SystemError.of {
            try unsafe buffer.withUnsafeMutableBytes { bytes in
                try unsafe file.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]))
            }
        }
    }

    /// Reads to the end; returns nil if there are more bytes than the limit.
    package func contents(limit: Int) throws(SystemError) -> [UInt8]? {
        let bytes = try beginning(limit + 1)
        return bytes.count > limit ? nil : bytes
    }

    /// Continues to read, at most `count` bytes.
    package func beginning(_ most: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(most, Self.block))
        while bytes.count < most {
            let count = try read(into: &buffer, from: 0)
            guard count > 0 else { break }
            bytes += buffer[..<min(count, most - bytes.count)]
        }
        return bytes
    }

    /// Reads bytes at an offset; throws if the file ends before them.
    package func read(
        at offset: Int, count: Int, into buffer: inout [UInt8]
    ) throws(SystemError) {
        let start = buffer.count
        buffer += [UInt8](repeating: 0, count: count)
        var got = 0
        while got < count {
            let read = try SystemError.of {
                try unsafe buffer.withUnsafeMutableBytes { bytes in
                    try unsafe file.read(
                        fromAbsoluteOffset: Int64(offset + got),
                        into: UnsafeMutableRawBufferPointer(rebasing: bytes[(start + got)...]))
                }
            }
            guard read > 0 else { throw SystemError(number: EIO) }
            got += read
        }
    }

    // MARK: Writing

    /// Writes all bytes; after an error, some may have been written.
    package func write(_ bytes: some Sequence<UInt8>) throws(SystemError) {
        _ = try SystemError.of { try file.writeAll(bytes) }
    }

    /// Writes once; returns how many bytes the system accepted, which may be fewer if the disk
    /// became full.
    package func writeSome(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
        let count = try SystemError.of {
            try unsafe bytes.withUnsafeBytes { bytes in try unsafe file.write(bytes) }
        }
        guard count > 0 || bytes.isEmpty else { throw SystemError(number: EIO) }
        return count
    }

    package func write(
        _ bytes: some Sequence<UInt8>, at offset: Int
    ) throws(SystemError) {
        _ = try SystemError.of {
            try file.writeAll(toAbsoluteOffset: Int64(offset), bytes)
        }
    }

    package func sync() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }
}
