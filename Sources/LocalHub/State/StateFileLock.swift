import Glibc
import Synchronization

/// Keeps a second hub from a state file: an advisory lock on a file beside it, `<path>.lock`.
///
/// The system lets go of it when the process dies, however it does. The lock file stays, since removing it would
/// let two hubs lock two files of one name.
final class StateFileLock: Sendable {
    /// The open lock file; nil once the lock is released.
    private let descriptor: Mutex<Int32?>

    /// Takes the lock.
    ///
    /// - Parameter path: the state file.
    /// - Throws: `LocalHubError` when another hub has it, or the lock file cannot be made.
    init(beside path: String) throws(LocalHubError) {
        let descriptor = unsafe open(
            path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw .stateFileNotWritten(path, reason: SystemReason.last)
        }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            guard number != EINTR else { continue }
            close(descriptor)
            throw number == EWOULDBLOCK
                ? .stateFileInUse(path)
                : .stateFileNotWritten(path, reason: SystemReason.text(of: number))
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Lets the next hub have the file; nothing happens the second time.
    func release() {
        let held = descriptor.withLock { $0.take() }
        if let held { close(held) }
    }
}
