import ServiceLifecycle

/// A backend that listens.
struct RunningBackend: Sendable {
    let port: Int
    private let group: ServiceGroup
    private let end: AsyncStream<Never>

    init(port: Int, group: ServiceGroup, end: AsyncStream<Never>) {
        self.port = port
        self.group = group
        self.end = end
    }

    /// Asks it to stop; it goes on until its requests have ended.
    func stop() async {
        await group.triggerGracefulShutdown()
    }

    /// Waits until it has stopped.
    func hasStopped() async {
        for await _ in end {}
    }
}
