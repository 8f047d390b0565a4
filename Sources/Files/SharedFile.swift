import Glibc
import Synchronization

/// A file that is open for locks while other code of this process has locks of the older kind on it, as SQLite has.
///
/// A process loses those as soon as it closes any descriptor of the file (fcntl(2), "Advisory record locking"). So who works
/// on a file by such code has one of these meanwhile: what was opened is used again, and closed once nobody in the process
/// has one. That is known to the whole process, since those locks are the process's.
package final class SharedFile: Sendable {
    private struct Opened {
        var users = 0
        var idle: [(file: OpenFile, isWritable: Bool)] = []
    }

    private static let all = Mutex<[FileIdentity: Opened]>([:])

    /// Which file it is, independent of the path that leads to it.
    package let identity: FileIdentity
    private let isWritable: Bool
    /// Nil at the end only.
    private let file: Mutex<OpenFile?>

    /// Opens a file that is there; no other of these has the same locks.
    ///
    /// - Parameters:
    ///   - path: a regular file, or a link to one.
    ///   - isWritable: whether it is opened for writing too, as a lock needs that keeps everybody else away.
    package init(_ path: String, isWritable: Bool) throws(SystemFault) {
        let (identity, opened) = try Self.all.withLock {
            all throws(SystemFault) -> (FileIdentity, (file: OpenFile, isWritable: Bool)) in
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

    /// Uses the file; a lock that is taken in it has to be released while this exists.
    ///
    /// - Parameter calls: get the file.
    package func withFile<Value>(
        _ calls: (OpenFile) throws(SystemFault) -> Value
    ) throws(SystemFault) -> Value {
        guard let file = file.withLock({ $0 }) else { throw SystemFault(number: EBADF) }
        return try calls(file)
    }
}
