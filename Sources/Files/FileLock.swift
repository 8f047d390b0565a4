import Glibc
import Synchronization

/// A lock on a byte of a file; it ends with a call of `release`, with the last reference, or with
/// the process.
///
/// It is an open file description lock (`fcntl(2)`, `F_OFD_SETLK`), which also excludes other locks
/// in the same process.
package final class FileLock: Sendable {
    /// `F_OFD_GETLK`, `F_OFD_SETLK` and `F_OFD_SETLKW` of `<fcntl.h>`, which Swift does not import.
    private static let askCommand: Int32 = 36
    private static let tryCommand: Int32 = 37
    private static let waitCommand: Int32 = 38

    private let byte: Int64
    /// The file; nil after the lock is released.
    private let file: Mutex<OpenFile?>

    private init(holding byte: Int64, of file: OpenFile) {
        self.byte = byte
        self.file = Mutex(file)
    }

    deinit {
        release()
    }

    /// Locks a byte, which may be beyond the end of the file; nil if someone else holds it.
    ///
    /// All holders of a shared lock must request it as shared; the file may be open for reading
    /// only.
    package static func take(
        _ byte: Int64 = 0, of file: OpenFile, isShared: Bool = false
    ) throws(SystemError) -> FileLock? {
        do {
            try control(byte...byte, of: file, tryCommand, isShared ? F_RDLCK : F_WRLCK)
        } catch {
            guard [EAGAIN, EACCES].contains(error.number) else { throw error }
            return nil
        }
        return FileLock(holding: byte, of: file)
    }

    /// Locks a byte, which may be beyond the end of the file, and waits while someone else holds
    /// it.
    package static func wait(
        for byte: Int64, of file: OpenFile
    ) throws(SystemError) -> FileLock {
        try control(byte...byte, of: file, waitCommand, F_WRLCK)
        return FileLock(holding: byte, of: file)
    }

    /// Whether someone holds a byte; does not lock it.
    package static func isTaken(
        _ byte: Int64 = 0, of file: OpenFile
    ) throws(SystemError) -> Bool {
        try isAnyTaken(byte...byte, of: file)
    }

    /// Whether someone holds one of several bytes, exclusively or shared.
    package static func isAnyTaken(
        _ bytes: ClosedRange<Int64>, of file: OpenFile
    ) throws(SystemError) -> Bool {
        try control(bytes, of: file, askCommand, F_WRLCK).l_type != Int16(F_UNLCK)
    }

    @discardableResult
    private static func control(
        _ bytes: ClosedRange<Int64>, of file: OpenFile, _ command: Int32, _ type: Int32
    ) throws(SystemError) -> flock {
        var range = flock()
        range.l_type = Int16(type)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = off_t(bytes.lowerBound)
        range.l_len = off_t(bytes.upperBound - bytes.lowerBound + 1)
        while unsafe fcntl(file.descriptor, command, &range) != 0 {
            guard errno == EINTR else { throw .last }
        }
        return range
    }

    /// Releases the lock; further calls do nothing.
    ///
    /// Closing the file is not enough, because a program that is being started briefly has the file
    /// open too.
    package func release() {
        file.withLock { file in
            guard let held = file else { return }
            do {
                try Self.control(byte...byte, of: held, Self.tryCommand, F_UNLCK)
            } catch {
                // If this fails, the lock ends with the last holder of the open file.
            }
            file = nil
        }
    }
}
