import Glibc
import Synchronization

/// A locked byte of a file, until it is released, its last reference goes, or its process ends.
///
/// An open file description lock (`fcntl(2)`, `F_OFD_SETLK`) also holds between two openings in one
/// process.
package final class FileLock: Sendable {
    /// `F_OFD_GETLK`, `F_OFD_SETLK` and `F_OFD_SETLKW` of `<fcntl.h>`, which Swift does not import.
    private static let askCommand: Int32 = 36
    private static let tryCommand: Int32 = 37
    private static let waitCommand: Int32 = 38

    private let byte: Int64
    /// nil once the lock is released.
    private let file: Mutex<OpenFile?>

    private init(holding byte: Int64, of file: OpenFile) {
        self.byte = byte
        self.file = Mutex(file)
    }

    deinit {
        release()
    }

    /// Locks a byte, which the file need not have, unless someone else holds it (then nil).
    ///
    /// A shared lock, which all holders must ask for, needs the file only open for reading.
    package static func take(
        _ byte: Int64 = 0, of file: OpenFile, isShared: Bool = false
    ) throws(SystemFault) -> FileLock? {
        do {
            try control(byte...byte, of: file, tryCommand, isShared ? F_RDLCK : F_WRLCK)
        } catch {
            guard [EAGAIN, EACCES].contains(error.number) else { throw error }
            return nil
        }
        return FileLock(holding: byte, of: file)
    }

    /// Locks a byte, which the file need not have, and waits while another holds it.
    package static func wait(
        for byte: Int64, of file: OpenFile
    ) throws(SystemFault) -> FileLock {
        try control(byte...byte, of: file, waitCommand, F_WRLCK)
        return FileLock(holding: byte, of: file)
    }

    /// Whether someone holds a byte; asking locks nothing.
    package static func isTaken(
        _ byte: Int64 = 0, of file: OpenFile
    ) throws(SystemFault) -> Bool {
        try isAnyTaken(byte...byte, of: file)
    }

    /// Whether someone holds one of several bytes, alone or with others.
    package static func isAnyTaken(
        _ bytes: ClosedRange<Int64>, of file: OpenFile
    ) throws(SystemFault) -> Bool {
        try control(bytes, of: file, askCommand, F_WRLCK).l_type != Int16(F_UNLCK)
    }

    @discardableResult
    private static func control(
        _ bytes: ClosedRange<Int64>, of file: OpenFile, _ command: Int32, _ type: Int32
    ) throws(SystemFault) -> flock {
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

    /// Releases the lock, at the first call only.
    ///
    /// Closing the file is not enough: a program that is just being started has it open for a
    /// moment.
    package func release() {
        file.withLock { file in
            guard let held = file else { return }
            do {
                try Self.control(byte...byte, of: held, Self.tryCommand, F_UNLCK)
            } catch {
                // Then it ends with the last holder of the open file.
            }
            file = nil
        }
    }
}
