import Glibc
import SystemPackage

/// An open file or folder, closed with its last reference; started programs do not inherit it.
package final class OpenFile: Sendable {
    package enum Purpose: Hashable, Sendable {
        /// Reading; a pipe does not block.
        case reading
        /// Writing a new file; fails if it exists.
        case creating
        /// Appending; made when it is missing.
        case appending
        /// Writing into an existing pipe or device, which may block.
        case streaming
        /// Locking; made when it is missing.
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

    /// Opens a file; a new one has at most mode 0600, reduced by the process's mask.
    ///
    /// A link that may not be followed is a fault of the kind `link`.
    package init(
        _ path: String, for purpose: Purpose, followingLinks: Bool = true, mode: UInt32 = 0o600
    ) throws(SystemFault) {
        let options = Self.options(for: purpose, followingLinks: followingLinks)
        descriptor = try SystemFault.of {
            unsafe try FileDescriptor.open(
                path, purpose.access, options: options, permissions: FilePermissions(rawValue: mode)
            )
        }.rawValue
    }

    /// Opens a file as ``init(_:for:followingLinks:mode:)`` does; nil when it is missing.
    package static func find(
        _ path: String, for purpose: Purpose, followingLinks: Bool = true
    ) throws(SystemFault) -> OpenFile? {
        do throws(SystemFault) {
            return try OpenFile(path, for: purpose, followingLinks: followingLinks)
        } catch {
            guard error.kind == .missing else { throw error }
            return nil
        }
    }

    /// Opens one component of a path in a folder; a link is a fault of the kind `link`, several
    /// components are one too.
    package init(
        component: String, in folder: OpenFile, for purpose: Purpose
    ) throws(SystemFault) {
        // After a slash comes a name in another folder; the system would stop at a zero byte.
        guard !component.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }) else {
            throw SystemFault(number: EINVAL)
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

    /// Makes a file beside another one that has no name, and room for some bytes.
    package init(namelessBeside path: String, bytes: Int) throws(SystemFault) {
        let path = "\(path).\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).tmp"
        descriptor = try SystemFault.of {
            unsafe try FileDescriptor.open(
                path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
        }.rawValue
        _ = unsafe unlink(path)
        let number = posix_fallocate(descriptor, 0, Int(bytes))
        // Some file systems cannot keep room.
        guard number == 0 || number == EINVAL || number == EOPNOTSUPP else {
            throw SystemFault(number: number)
        }
    }

    deinit {
        close(descriptor)
    }

    private static func options(
        for purpose: Purpose, followingLinks: Bool
    ) -> FileDescriptor.OpenOptions {
        // A terminal must not become the program's controlling one.
        let always: FileDescriptor.OpenOptions = [
            .closeOnExec, FileDescriptor.OpenOptions(rawValue: O_NOCTTY),
        ]
        return purpose.options.union(always).union(followingLinks ? [] : .noFollow)
    }

    // MARK: What it is

    /// Makes other calls on the descriptor, such as those about terminals.
    package func withDescriptor<Value>(_ calls: (Int32) -> Value) -> Value {
        withExtendedLifetime(self) { calls(descriptor) }
    }

    package func status() throws(SystemFault) -> FileStatus {
        try FileStatus(descriptor: descriptor)
    }

    package func target(ofLink component: String) throws(SystemFault) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlinkat(descriptor, component, &buffer, buffer.count)
        guard count >= 0 else { throw .last }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Independent of the process's umask.
    package func setMode(_ mode: UInt32) throws(SystemFault) {
        guard fchmod(descriptor, mode) == 0 else { throw .last }
    }

    // MARK: Reading

    /// Continues reading into a part of a buffer; returns the count, 0 at the end.
    package func read(
        into buffer: inout [UInt8], from offset: Int
    ) throws(SystemFault) -> Int {
        try SystemFault.of {
            try unsafe buffer.withUnsafeMutableBytes { bytes in
                try unsafe file.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]))
            }
        }
    }

    /// Reads to the end; nil when there are more bytes than the limit.
    package func contents(limit: Int) throws(SystemFault) -> [UInt8]? {
        let bytes = try beginning(limit + 1)
        return bytes.count > limit ? nil : bytes
    }

    /// Continues reading, at most this many bytes.
    package func beginning(_ most: Int) throws(SystemFault) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(most, Self.block))
        while bytes.count < most {
            let count = try read(into: &buffer, from: 0)
            guard count > 0 else { break }
            bytes += buffer[..<min(count, most - bytes.count)]
        }
        return bytes
    }

    /// Reads bytes at an offset; a file that ends before them is a fault.
    package func read(
        at offset: Int, count: Int, into buffer: inout [UInt8]
    ) throws(SystemFault) {
        let start = buffer.count
        buffer += [UInt8](repeating: 0, count: count)
        var got = 0
        while got < count {
            let read = try SystemFault.of {
                try unsafe buffer.withUnsafeMutableBytes { bytes in
                    try unsafe file.read(
                        fromAbsoluteOffset: Int64(offset + got),
                        into: UnsafeMutableRawBufferPointer(rebasing: bytes[(start + got)...]))
                }
            }
            guard read > 0 else { throw SystemFault(number: EIO) }
            got += read
        }
    }

    // MARK: Writing

    /// Writes all bytes; after an error, some may have been written.
    package func write(_ bytes: some Sequence<UInt8>) throws(SystemFault) {
        _ = try SystemFault.of { try file.writeAll(bytes) }
    }

    /// Writes once, and returns how many bytes the system took, fewer when the disk became full.
    package func writeSome(_ bytes: ArraySlice<UInt8>) throws(SystemFault) -> Int {
        let count = try SystemFault.of {
            try unsafe bytes.withUnsafeBytes { bytes in try unsafe file.write(bytes) }
        }
        guard count > 0 || bytes.isEmpty else { throw SystemFault(number: EIO) }
        return count
    }

    package func write(
        _ bytes: some Sequence<UInt8>, at offset: Int
    ) throws(SystemFault) {
        _ = try SystemFault.of {
            try file.writeAll(toAbsoluteOffset: Int64(offset), bytes)
        }
    }

    package func sync() throws(SystemFault) {
        guard fsync(descriptor) == 0 else { throw .last }
    }
}
