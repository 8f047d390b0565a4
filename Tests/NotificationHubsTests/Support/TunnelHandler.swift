import NIOCore

/// Grants the tunnel that a client asks a proxy for, and lets everything after it through.
final class TunnelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var isOpen = false
    private var request = ""

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOpen else { return context.fireChannelRead(data) }
        request += String(buffer: unwrapInboundIn(data))
        guard request.hasPrefix("CONNECT 127.0.0.1:9 HTTP/1.1\r\n"), request.hasSuffix("\r\n\r\n")
        else { return }
        isOpen = true
        context.writeAndFlush(
            wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n")), promise: nil)
    }
}
