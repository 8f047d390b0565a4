import NIOCore
import NIOTLS

/// Closes a TLS connection if the handshake or the pause between requests takes too long; used only
/// on the connection's event loop.
final class ConnectionTimer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let handshakeTimeout: TimeAmount
    private let idleTimeout: TimeAmount
    private var isHandshakeDone = false
    private var requests = 0
    private var deadline: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    init(handshakeTimeout: TimeAmount, idleTimeout: TimeAmount) {
        self.handshakeTimeout = handshakeTimeout
        self.idleTimeout = idleTimeout
    }

    func requestBegan() {
        requests += 1
        deadline?.cancel()
    }

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
            // The server is stopping, and nothing else closes such a new connection.
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
            // The close starts at the tail of the pipeline, so it waits for a response that the
            // client still reads.
            bound.value.channel.close(promise: nil)
        }
    }
}
