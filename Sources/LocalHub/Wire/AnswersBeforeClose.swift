import NIOCore
import NIOHTTP1

/// Lets the answers of a connection that speaks HTTP/1.1 go out before it closes.
///
/// Hummingbird takes an answer that it has handed on for one that is out: it closes a connection as
/// idle, or because the hub shuts down, while a client still reads. Here the close waits, as long as
/// the client takes something now and then, and once the hub shuts down no longer than its grace.
final class AnswersBeforeClose: ChannelDuplexHandler {
    typealias InboundIn = Any
    typealias InboundOut = Any
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The bytes of a piece: with it taken, the client has got on.
    private static let pieceBytes = 16_384

    private let patience: TimeAmount
    private let shutdownGrace: TimeAmount
    /// Writes that the system has not taken yet.
    private var waiting = 0
    /// When it took the last one.
    private var progress = NIODeadline.uptimeNanoseconds(0)
    private var stall: Scheduled<Void>?
    private var end: Scheduled<Void>?
    /// What is left to do when all is out.
    private var closing: (mode: CloseMode, promises: [EventLoopPromise<Void>])?

    /// Makes a handler.
    ///
    /// - Parameters:
    ///   - patience: how long a client may take nothing while a close waits for it.
    ///   - shutdownGrace: how long answers may go on after a shutdown began.
    init(patience: TimeAmount, shutdownGrace: TimeAmount) {
        self.patience = patience
        self.shutdownGrace = shutdownGrace
    }

    /// Puts one next to the encoder of a connection, on its event loop.
    ///
    /// - Throws: when the connection has no encoder.
    static func add(to channel: any Channel, _ limits: LocalHubLimits) throws {
        let pipeline = channel.pipeline.syncOperations
        let encoder = try pipeline.context(handlerType: HTTPResponseEncoder.self).handler
        guard let encoder = encoder as? HTTPResponseEncoder else {
            throw ChannelPipelineError.notFound
        }
        try pipeline.addHandler(
            AnswersBeforeClose(
                patience: TimeAmount(limits.idleTimeout),
                shutdownGrace: TimeAmount(limits.shutdownGrace)),
            position: .after(encoder))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard closing == nil else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        let part = unwrapOutboundIn(data)
        switch part {
        case .body(.byteBuffer(var rest)):
            while rest.readableBytes > Self.pieceBytes,
                let piece = rest.readSlice(length: Self.pieceBytes)
            {
                send(.body(.byteBuffer(piece)), context, nil)
                // TLS makes one write of all that waits for a flush, and tells of all of it at once.
                context.flush()
            }
            send(.body(.byteBuffer(rest)), context, promise)
        case .head, .body, .end:
            send(part, context, promise)
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard waiting > 0, mode != .input else {
            return context.close(mode: mode, promise: promise)
        }
        closing = (
            closing?.mode == .all ? .all : mode,
            (closing?.promises ?? []) + (promise.map { [$0] } ?? [])
        )
        if stall == nil {
            progress = context.eventLoop.now
            awaitProgress(context)
        }
        context.flush()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Nobody would answer what comes now.
        guard closing?.mode != .all else { return }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, end == nil {
            end = context.eventLoop.assumeIsolated().scheduleTask(in: shutdownGrace) {
                context.close(promise: nil)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stall?.cancel()
        end?.cancel()
        (stall, end) = (nil, nil)
        closing?.promises.forEach { $0.fail(ChannelError.alreadyClosed) }
        closing = nil
        context.fireChannelInactive()
    }

    private func send(
        _ part: HTTPServerResponsePart, _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>?
    ) {
        waiting += 1
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { result in
            self.waiting -= 1
            switch result {
            case .success:
                self.progress = context.eventLoop.now
                if self.waiting == 0 { self.closeIfAsked(context) }
            case .failure:
                // Nothing goes out any more that would be worth waiting for.
                self.closing?.mode = .all
                self.closeIfAsked(context)
            }
        }
        context.write(wrapOutboundOut(part), promise: written)
    }

    private func awaitProgress(_ context: ChannelHandlerContext) {
        stall = context.eventLoop.assumeIsolated().scheduleTask(deadline: progress + patience) {
            self.stall = nil
            guard self.waiting > 0 else { return }
            guard context.eventLoop.now - self.progress >= self.patience else {
                return self.awaitProgress(context)
            }
            context.close(promise: nil)
        }
    }

    private func closeIfAsked(_ context: ChannelHandlerContext) {
        guard let (mode, promises) = closing else { return }
        closing = nil
        let closed = context.eventLoop.makePromise(of: Void.self)
        promises.forEach { closed.futureResult.cascade(to: $0) }
        context.close(mode: mode, promise: closed)
    }
}
