import NIOCore

/// Lets what was asked to be written go out before a connection closes.
///
/// While a hub shuts down, Hummingbird closes an HTTP/2 connection with its last stream, and hears of
/// that stream's end in the middle of writing it: the end of the answer would be lost.
final class FlushBeforeClose: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        // Whoever is writing has written by then.
        context.eventLoop.execute {
            bound.value.flush()
            bound.value.close(mode: mode, promise: promise)
        }
    }
}
