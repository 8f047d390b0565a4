import NIOCore
import NIOHTTP1

/// Watches the answers of one connection on their way out: says when one has gone out whole, and
/// ends a connection whose client takes nothing of what waits for it.
///
/// "Gone out" is what a server can know: the system has taken the last byte. What is only buffered
/// here does not count.
final class AnswerWatch: ChannelDuplexHandler {
    typealias InboundIn = Any
    typealias InboundOut = Any
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Goes down the channel before an answer that is to be marked, and lives as long as the answer
    /// is on its way.
    struct Mark: Sendable {
        /// Room for the receipt; nil: none is owed.
        let slot: ReceiptSlot?
        /// The answer's part of what may be on its way; nil: it is small.
        let share: AnswerShare?
    }

    private let stallTimeout: TimeAmount
    private var mark: Mark?
    private var stall: Scheduled<Void>?

    init(stallTimeout: TimeAmount) {
        self.stallTimeout = stallTimeout
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard let mark = event as? Mark else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        self.mark = mark
        promise?.succeed()
    }

    func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        guard let mark, case .end = unwrapOutboundIn(data) else {
            return context.write(data, promise: promise)
        }
        self.mark = nil
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { result in
            // The closure keeps the share until here.
            withExtendedLifetime(mark.share) {
                if case .success = result { mark.slot?.fill() }
            }
        }
        context.write(data, promise: written)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stall?.cancel()
        stall = nil
        if !context.channel.isWritable {
            let channel = context.channel
            stall = context.eventLoop.scheduleTask(in: stallTimeout) { channel.close(promise: nil) }
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stall?.cancel()
        mark = nil
        context.fireChannelInactive()
    }
}
