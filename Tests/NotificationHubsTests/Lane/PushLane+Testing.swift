import NIOCore

@testable import NotificationHubs

extension PushLane {
    func openChannels() async throws -> Int {
        try await eventLoop.submit { [loop] in loop.value?.channels ?? 0 }.get()
    }

    /// Waits until every free connection has ended.
    func connectionsHaveEnded() async throws {
        try await eventLoop.flatSubmit { [eventLoop, loop] in
            let ends = (loop.value?.connections ?? []).compactMap(\.self).compactMap {
                connection -> EventLoopFuture<Void>? in
                // The connection's channel is private, and nothing else reports its end.
                let mirror = Mirror(reflecting: connection)
                guard mirror.descendant("context") != nil else {
                    return eventLoop.makeFailedFuture(ChannelError.unknownLocalAddress)
                }
                // A connection that has already ended has no channel.
                let context = mirror.descendant("context", "some") as? ChannelHandlerContext
                return context?.channel.closeFuture
            }
            return EventLoopFuture.andAllSucceed(ends, on: eventLoop)
        }.get()
    }
}
