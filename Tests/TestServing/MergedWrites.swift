package import NIOCore
package import NIOHTTP1

/// Merges all writes before a flush into one, as TLS does.
package final class MergedWrites: ChannelOutboundHandler {
    package typealias OutboundIn = HTTPServerResponsePart
    package typealias OutboundOut = ByteBuffer

    private var waiting = ByteBuffer()
    private var promises: [EventLoopPromise<Void>] = []

    package init() {}

    package func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        if case .body(.byteBuffer(var body)) = unwrapOutboundIn(data) { waiting.writeBuffer(&body) }
        if let promise { promises.append(promise) }
    }

    package func flush(context: ChannelHandlerContext) {
        if !promises.isEmpty {
            let written = context.eventLoop.makePromise(of: Void.self)
            for promise in promises { written.futureResult.cascade(to: promise) }
            let all = waiting
            (waiting, promises) = (ByteBuffer(), [])
            context.write(wrapOutboundOut(all), promise: written)
        }
        context.flush()
    }
}
