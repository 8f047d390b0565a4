import NIOCore

/// Lets only so many bytes a second out of a connection.
///
/// It belongs to one channel, and is made and used on that channel's event loop.
final class SlowWriter: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let tick = TimeAmount.milliseconds(50)

    private let bytesPerTick: Int
    private let ticksPerWrite: Int
    private var waiting: CircularBuffer<(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)> = []
    private var timer: RepeatedTask?

    /// Makes a writer.
    ///
    /// - Parameter bytesPerSecond: the speed, at least 1.
    init(bytesPerSecond: Int) {
        let ticksPerSecond = 20
        bytesPerTick = max(bytesPerSecond / ticksPerSecond, 1)
        ticksPerWrite = bytesPerSecond >= ticksPerSecond ? 1 : ticksPerSecond / bytesPerSecond
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        waiting.append((unwrapOutboundIn(data), promise))
    }

    func flush(context: ChannelHandlerContext) {
        guard timer == nil, !waiting.isEmpty else { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let delay = Self.tick * ticksPerWrite
        timer = context.eventLoop.scheduleRepeatedTask(initialDelay: delay, delay: delay) { _ in
            let (writer, context) = bound.value
            writer.writeSome(context)
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        // What waits is lost with the connection; a hub that ends a slow answer ends it.
        end()
        context.close(mode: mode, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
    }

    private func writeSome(_ context: ChannelHandlerContext) {
        guard !waiting.isEmpty,
            let bytes = waiting[waiting.startIndex].bytes.readSlice(
                length: min(bytesPerTick, waiting[waiting.startIndex].bytes.readableBytes))
        else {
            timer?.cancel()
            timer = nil
            return
        }
        var promise: EventLoopPromise<Void>?
        if waiting[waiting.startIndex].bytes.readableBytes == 0 {
            promise = waiting.removeFirst().promise
        }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
    }

    private func end() {
        timer?.cancel()
        timer = nil
        for (_, promise) in waiting { promise?.fail(ChannelError.ioOnClosedChannel) }
        waiting.removeAll()
    }
}
