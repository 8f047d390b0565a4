// The compiler takes `stat` from whichever of its two modules it reads first.
import CoreFoundation
import Glibc

/// The file that audit lines are appended to, opened anew when it was moved away.
///
/// Nobody else may read it or write it, also where somebody made it anew meanwhile.
///
/// Several processes may append to it: each `write(2)` holds whole lines, and the file was opened
/// with `O_APPEND`.
struct AuditFile: ~Copyable {
    private let path: String
    private var descriptor: Int32

    /// Opens a file, or makes it with mode 0600; links are not followed.
    ///
    /// - Throws: ``AuditError``.
    init(path: String) throws(AuditError) {
        self.path = path
        descriptor = try Self.open(path)
    }

    deinit {
        _ = close(descriptor)
    }

    /// Appends lines.
    ///
    /// - Returns: how many of the bytes are in the file; fewer than all when the disk ran full in
    ///   between.
    /// - Throws: ``AuditError`` when none are.
    mutating func append(_ lines: [UInt8]) throws(AuditError) -> Int {
        if wasMovedAway {
            let anew = try Self.open(path)
            _ = close(descriptor)
            descriptor = anew
        }
        var written = 0
        while written < lines.count {
            let count = unsafe lines.withUnsafeBytes { bytes in
                unsafe write(
                    descriptor, bytes.baseAddress.map { unsafe $0 + written },
                    bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                if written > 0 { return written }
                throw Self.fault(path, SystemWords.last)
            }
            written += count
        }
        return written
    }

    private var wasMovedAway: Bool {
        var opened = stat()
        var named = stat()
        guard unsafe fstat(descriptor, &opened) == 0, unsafe lstat(path, &named) == 0 else {
            return true
        }
        return opened.st_ino != named.st_ino || opened.st_dev != named.st_dev
    }

    private static func open(_ path: String) throws(AuditError) -> Int32 {
        let descriptor = unsafe Glibc.open(
            path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw fault(path, SystemWords.last) }
        do throws(AuditError) {
            try check(descriptor, path)
            return descriptor
        } catch {
            _ = close(descriptor)
            throw error
        }
    }

    private static func check(_ descriptor: Int32, _ path: String) throws(AuditError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw fault(path, SystemWords.last) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw fault(path, "it is no regular file")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw AuditError(path: path, fault: .unprotected(.writableByOthers))
        }
        guard status.st_mode & 0o044 == 0 else {
            throw AuditError(path: path, fault: .unprotected(.readableByOthers))
        }
    }

    private static func fault(_ path: String, _ reason: String) -> AuditError {
        AuditError(path: path, fault: .unwritable(reason: reason))
    }
}
