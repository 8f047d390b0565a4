import NIOCore
import NIOExtras

/// Limits the bytes per second that a connection sends, and closes the connection after the last
/// byte.
///
/// At shutdown, the remaining bytes are sent immediately. It must be used only on the event loop of
/// its channel.
final class SlowWriter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let ticksPerSecond = 20
    private static let tick = TimeAmount.milliseconds(50)

    private let bytesPerTick: Int
    private let ticksPerWrite: Int
    private var waiting: CircularBuffer<(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)> = []
    private var closing: (mode: CloseMode, promises: [EventLoopPromise<Void>])?
    private var timer: RepeatedTask?

    init(bytesPerSecond: Int) {
        bytesPerTick = max(bytesPerSecond / Self.ticksPerSecond, 1)
        ticksPerWrite = max(Self.ticksPerSecond / bytesPerSecond, 1)
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
        guard mode != .input, !waiting.isEmpty else {
            return context.close(mode: mode, promise: promise)
        }
        // The server closes the connection right after its last write, while bytes are still
        // waiting here.
        closing = (
            closing?.mode == .all ? .all : mode,
            (closing?.promises ?? []) + (promise.map { [$0] } ?? [])
        )
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { writeAll(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
    }

    private func writeSome(_ context: ChannelHandlerContext) {
        guard !waiting.isEmpty,
            let bytes = waiting[waiting.startIndex].bytes.readSlice(
                length: min(bytesPerTick, waiting[waiting.startIndex].bytes.readableBytes))
        else { return finish(context) }
        var promise: EventLoopPromise<Void>?
        if waiting[waiting.startIndex].bytes.readableBytes == 0 {
            promise = waiting.removeFirst().promise
        }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
        if waiting.isEmpty { finish(context) }
    }

    private func writeAll(_ context: ChannelHandlerContext) {
        while let (bytes, promise) = waiting.popFirst() {
            context.write(wrapOutboundOut(bytes), promise: promise)
        }
        context.flush()
        finish(context)
    }

    private func finish(_ context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        guard let (mode, promises) = closing else { return }
        closing = nil
        let closed = context.eventLoop.makePromise(of: Void.self)
        for promise in promises { closed.futureResult.cascade(to: promise) }
        context.close(mode: mode, promise: closed)
    }

    private func end() {
        timer?.cancel()
        timer = nil
        for (_, promise) in waiting { promise?.fail(ChannelError.ioOnClosedChannel) }
        waiting.removeAll()
        for promise in closing?.promises ?? [] { promise.fail(ChannelError.alreadyClosed) }
        closing = nil
    }
}
