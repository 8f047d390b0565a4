import Glibc

/// The three streams that a process gets from who starts it.
package enum StandardStreams {
    /// Keeps the numbers of those that are closed from what is opened later, such as a connection, into which would go what is
    /// meant for a stream.
    ///
    /// Each is opened for the direction that nobody uses, so that using it stays the fault that it was.
    package static func keepNumbers() {
        for (stream, direction) in [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
        ] where fcntl(stream, F_GETFD) < 0 {
            // It gets the lowest number that is free; those below it are taken.
            _ = unsafe open("/dev/null", direction)
        }
    }
}
