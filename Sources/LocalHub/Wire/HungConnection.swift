import HummingbirdCore
import ServiceLifecycle

/// A connection, or over HTTP/2 a stream of one, on which the hub says nothing more.
enum HungConnection {
    /// Waits until the client goes away or the hub shuts down.
    ///
    /// - Parameter body: the body of the request that gets no answer; it may have been read.
    /// - Throws: when the connection's stream of requests breaks.
    static func wait(_ body: RequestBody) async throws {
        let (ended, ending) = AsyncStream.makeStream(of: Never.self)
        try await body.consumeWithInboundCloseHandler { _ in
            await withTaskCancellationOrGracefulShutdownHandler {
                for await _ in ended {}
            } onCancelOrGracefulShutdown: {
                ending.finish()
            }
        } onInboundClosed: {
            ending.finish()
        }
    }
}
