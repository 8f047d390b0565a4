package import NIOCore
import NIOEmbedded

/// The head of a test's channel, which accepts only as many writes as the test allows, like a slow
/// client's socket.
package final class FullSocket: ChannelOutboundHandler {
    package typealias OutboundIn = Any

    private var waiting: CircularBuffer<(data: NIOAny, promise: EventLoopPromise<Void>?)> = []
    private var context: ChannelHandlerContext?

    package init() {}

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    package func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        waiting.append((data, promise))
    }

    package func close(
        context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
    ) {
        // Like a socket, it never sends writes that it has not accepted before the close.
        while let (_, promise) = waiting.popFirst() {
            promise?.fail(ChannelError.ioOnClosedChannel)
        }
        context.close(mode: mode, promise: promise)
    }

    /// Ends the connection without waiting for the channel.
    package func end() {
        guard let context else { return }
        let eventLoop = context.eventLoop
        close(context: context, mode: .all, promise: nil)
        // The channel closes itself later.
        (eventLoop as? EmbeddedEventLoop)?.run()
    }

    package var count: Int { waiting.count }

    package func take(_ count: Int) {
        for _ in 0..<count {
            guard let (data, promise) = waiting.popFirst() else { return }
            context?.writeAndFlush(data, promise: promise)
        }
    }
}
