import HummingbirdCore
import ServiceLifecycle

extension RequestBody {
    /// Does something at intervals until the client goes away, the hub shuts down, or the task is cancelled.
    ///
    /// - Parameters:
    ///   - interval: the time between two times.
    ///   - sleep: waits; throws when its task is cancelled.
    ///   - beat: what to do.
    ///   - end: what to do at the end; it may be called more than once.
    /// - Throws: when the task is cancelled, or the connection's stream of requests breaks.
    func beat(
        every interval: Duration, by sleep: @Sendable (Duration) async throws -> Void,
        _ beat: @Sendable () -> Void, onEnd end: @escaping @Sendable () -> Void
    ) async throws {
        defer { end() }
        try await consumeWithInboundCloseHandler { _ in
            try await withTaskCancellationOrGracefulShutdownHandler {
                while true {
                    try await sleep(interval)
                    beat()
                }
            } onCancelOrGracefulShutdown: {
                end()
            }
        } onInboundClosed: {
            end()
        }
    }
}
