import Glibc

package enum StandardStreams {
    /// Keeps the numbers of closed streams from being reused, such as by a connection that would
    /// get their output.
    ///
    /// Each is opened in the unused direction, so that using it still fails.
    package static func keepNumbers() {
        for (stream, direction) in [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
        ] where fcntl(stream, F_GETFD) < 0 {
            // It gets the lowest free number; those below it are taken.
            _ = unsafe open("/dev/null", direction)
        }
    }
}
