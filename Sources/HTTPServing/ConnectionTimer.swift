import NIOCore
import NIOTLS

/// Closes a TLS connection whose handshake takes too long, or that has been without a request for
/// too long.
///
/// It stands behind the TLS handler of one connection, and is used on that connection's event loop.
final class ConnectionTimer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let handshakeTimeout: TimeAmount
    private let idleTimeout: TimeAmount
    private var isHandshakeDone = false
    private var requests = 0
    private var deadline: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    /// Makes a timer.
    init(handshakeTimeout: TimeAmount, idleTimeout: TimeAmount) {
        self.handshakeTimeout = handshakeTimeout
        self.idleTimeout = idleTimeout
    }

    /// Counts a request that has come; there may be several at a time.
    func requestBegan() {
        requests += 1
        deadline?.cancel()
    }

    /// Counts a request as done: it has its answer, or never will.
    func requestEnded() {
        requests -= 1
        if requests == 0 { close(in: idleTimeout) }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { close(in: handshakeTimeout) }
    }

    func channelActive(context: ChannelHandlerContext) {
        close(in: handshakeTimeout)
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent {
            isHandshakeDone = true
            close(in: idleTimeout)
        } else if event is ChannelShouldQuiesceEvent, !isHandshakeDone {
            // The server ends, and nothing else closes a connection that is this new.
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        self.context = nil
    }

    private func close(in delay: TimeAmount) {
        deadline?.cancel()
        guard let context else { return }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: delay) {
            // From the tail of the pipeline, so that the close waits for an answer that is still read.
            bound.value.channel.close(promise: nil)
        }
    }
}
