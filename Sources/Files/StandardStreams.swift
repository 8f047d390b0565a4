import Glibc

package enum StandardStreams {
    /// Prevents the numbers of closed streams from being reused, for example by a connection, which
    /// would then receive the streams' output.
    ///
    /// Each stream is opened in the unused direction, so using it still fails.
    package static func keepNumbers() {
        for (stream, direction) in [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
        ] where fcntl(stream, F_GETFD) < 0 {
            // The file gets the lowest free number, because the smaller ones are taken.
            _ = unsafe open("/dev/null", direction)
        }
    }
}
