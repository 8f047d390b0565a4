import Glibc

/// The processes that a command and what it started are in, but for those that left it by
/// themselves.
struct ProcessGroup {
    /// How often is looked whether they have ended: the system tells nobody but a parent.
    private static let interval = Duration.milliseconds(20)

    /// The command's process id, which is the group's.
    let leader: pid_t

    /// Waits until all have ended, and kills those that have not within a time, or at once when the
    /// task is cancelled.
    ///
    /// - Parameter grace: the time.
    func end(within grace: Duration) async {
        let clock = ContinuousClock()
        let deadline = clock.now + grace
        while isThere, clock.now < deadline {
            do {
                try await clock.sleep(for: Self.interval)
            } catch {
                break
            }
        }
        // Nothing happens when none is left.
        kill(-leader, SIGKILL)
    }

    private var isThere: Bool { kill(-leader, 0) == 0 }
}
