import NIOCore

@testable import NotificationHubs

extension DirectLane {
    /// Channels that are not closed yet.
    func openChannels() async throws -> Int {
        try await eventLoop.submit { [loop] in loop.value?.channels ?? 0 }.get()
    }

    /// Waits until every connection has ended that another request could go out over now.
    func connectionsHaveEnded() async throws {
        try await eventLoop.flatSubmit { [eventLoop, loop] in
            let ends = (loop.value?.connections ?? []).map { connection in
                // The connection keeps its channel to itself; nothing else tells of its end.
                let context = Mirror(reflecting: connection).descendant("context", "some")
                return (context as? ChannelHandlerContext)?.channel.closeFuture
                    ?? eventLoop.makeFailedFuture(ChannelError.unknownLocalAddress)
            }
            return EventLoopFuture.andAllSucceed(ends, on: eventLoop)
        }.get()
    }
}
