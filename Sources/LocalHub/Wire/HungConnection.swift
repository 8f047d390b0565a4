import NIOCore
import ServiceLifecycle

/// A connection on which the hub says nothing more.
enum HungConnection {
    /// Waits until the client goes away or the hub shuts down.
    ///
    /// - Parameter channel: the connection.
    /// - Throws: `CancellationError` when the hub's task is cancelled.
    static func wait(_ channel: any Channel) async throws {
        // With half-closure a client that hangs up closes only its own side; without, it closes ours too.
        try await channel.setOption(.allowRemoteHalfClosure, value: false).get()
        let (closed, closing) = AsyncStream.makeStream(of: Never.self)
        channel.closeFuture.whenComplete { _ in closing.finish() }
        await withTaskCancellationOrGracefulShutdownHandler {
            for await _ in closed {}
        } onCancelOrGracefulShutdown: {
            closing.finish()
        }
        try Task.checkCancellation()
    }
}
