import ServiceLifecycle

struct RunningBackend: Sendable {
    let port: Int
    private let group: ServiceGroup
    private let end: AsyncStream<Never>

    init(port: Int, group: ServiceGroup, end: AsyncStream<Never>) {
        self.port = port
        self.group = group
        self.end = end
    }

    /// Asks the server to stop, which happens once its requests have ended.
    func stop() async {
        await group.triggerGracefulShutdown()
    }

    func hasStopped() async {
        for await _ in end {}
    }
}
