import Glibc
import Synchronization

/// A file for locks, which other code of this process, such as SQLite, may lock with POSIX locks.
///
/// A process loses POSIX locks when it closes any descriptor of the file (fcntl(2), "Advisory
/// record locking"). The descriptor is therefore reused within the process and closed once nobody
/// uses the file.
package final class SharedFile: Sendable {
    private struct Opened {
        var users = 0
        var idle: [(file: OpenFile, isWritable: Bool)] = []
    }

    private static let all = Mutex<[FileIdentity: Opened]>([:])

    package let identity: FileIdentity
    private let isWritable: Bool
    /// The open file, which is nil only during deinitialization.
    private let file: Mutex<OpenFile?>

    package init(_ path: String, isWritable: Bool) throws(SystemError) {
        let (identity, opened) = try Self.all.withLock {
            all throws(SystemError) -> (FileIdentity, (file: OpenFile, isWritable: Bool)) in
            let known = try FileStatus(of: path).identity
            if let index = all[known]?.idle.lastIndex(where: { $0.isWritable || !isWritable }),
                let opened = all[known]?.idle.remove(at: index)
            {
                all[known]?.users += 1
                return (known, opened)
            }
            let file = try OpenFile(path, for: isWritable ? .updating : .reading)
            let identity = try file.status().identity
            all[identity, default: Opened()].users += 1
            return (identity, (file, isWritable))
        }
        self.identity = identity
        self.isWritable = opened.isWritable
        file = Mutex(opened.file)
    }

    deinit {
        Self.all.withLock { all in
            let last = file.withLock { file in
                defer { file = nil }
                return file
            }
            guard let last, var opened = all.removeValue(forKey: identity) else { return }
            opened.users -= 1
            opened.idle.append((last, isWritable))
            if opened.users > 0 { all[identity] = opened }
        }
    }

    /// Uses the file; locks taken in it must be released while this object exists.
    package func withFile<Value>(
        _ calls: (OpenFile) throws(SystemError) -> Value
    ) throws(SystemError) -> Value {
        guard let file = file.withLock({ $0 }) else { throw SystemError(number: EBADF) }
        return try calls(file)
    }
}
