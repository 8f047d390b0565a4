import NIOCore

/// Acts as a proxy for a hub: answers a tunnel request, then passes everything through.
final class TunnelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let record: HubRecord
    private let answer: String
    private var isOpen = false
    private var request = ""

    init(record: HubRecord, answer: String) {
        self.record = record
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOpen else { return context.fireChannelRead(data) }
        let bytes = unwrapInboundIn(data)
        // Neither TLS nor a request to the hub starts with a C.
        guard !request.isEmpty || bytes.readableBytesView.first == UInt8(ascii: "C") else {
            isOpen = true
            return context.fireChannelRead(data)
        }
        request += String(buffer: bytes)
        guard request.hasSuffix("\r\n\r\n") else { return }
        record.tunnel(request)
        isOpen = true
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
    }
}
