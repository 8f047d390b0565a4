import Files
import Glibc
import TestSupport
import Testing

/// A file whose locks coexist with another library's POSIX locks.
@Suite(.bounded) struct SharedFileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.write("", to: "file")
    }

    /// Locks a byte as SQLite does.
    private func lockAsBefore(_ byte: off_t, of file: OpenFile) -> Int32 {
        var range = flock()
        range.l_type = Int16(F_WRLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = byte
        range.l_len = 1
        return file.withDescriptor { unsafe fcntl($0, F_SETLK, &range) }
    }

    @Test("Closing one of two shared files does not release POSIX locks")
    func closingOneOfTwoSharedFilesDoesNotReleasePOSIXLocks() throws {
        var first: SharedFile? = try SharedFile(path, isWritable: true)
        let second = try SharedFile(path, isWritable: false)
        #expect(first?.identity == second.identity)
        let plain = try OpenFile(path, for: .updating)
        #expect(lockAsBefore(3, of: plain) == 0)
        first = nil
        #expect(
            try second.withFile { file throws(SystemError) in try FileLock.isTaken(3, of: file) })
    }

    @Test("Each shared file has its own locks") func eachSharedFileHasItsOwnLocks() throws {
        let first = try SharedFile(path, isWritable: true)
        let held = try first.withFile { file throws(SystemError) in
            try FileLock.take(7, of: file)
        }
        for _ in 0..<3 {
            let second = try SharedFile(path, isWritable: true)
            let other = try second.withFile { file throws(SystemError) in
                try FileLock.take(7, of: file)
            }
            #expect(other == nil)
        }
        held?.release()
        let last = try SharedFile(path, isWritable: true)
        let other = try last.withFile { file throws(SystemError) in
            try FileLock.take(7, of: file)
        }
        #expect(other != nil)
        other?.release()
    }

    @Test("A shared file follows the file, not its name")
    func sharedFileFollowsTheFileNotItsName() throws {
        let first = try SharedFile(path, isWritable: true)
        #expect(unsafe rename(path, folder.file("other")) == 0)
        try folder.write("new", to: "file")
        let second = try SharedFile(path, isWritable: true)
        #expect(second.identity != first.identity)
        #expect(try SharedFile(folder.file("other"), isWritable: true).identity == first.identity)
    }
}
