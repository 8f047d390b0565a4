import NIOCore
import NIOHTTP1
import Synchronization

/// Keeps an HTTP/1.1 connection open until its responses have been sent.
///
/// Hummingbird treats a response as sent as soon as it has been passed on, and closes connections
/// that clients still read from. Here, a close waits until the system has accepted the last byte,
/// as long as the client makes progress and, when the server stops, no longer than the grace
/// period. If ``HTTPServerLimits/endsStalledAnswers`` is set, a client that makes no progress for
/// too long loses its connection even without a close.
final class AnswerWatch: ChannelDuplexHandler {
    typealias InboundIn = Any
    typealias InboundOut = Any
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Progress is measured in pieces of this size.
    static let pieceBytes = 16_384

    private let stallTimeout: TimeAmount
    private let endsStalledAnswers: Bool
    private let shutdownGrace: TimeAmount
    /// The object to notify when the response ends; nil if there is none.
    private var answer: OutgoingAnswer?
    private var waiting = 0
    /// When the system last accepted a write, or when there was again data to send.
    private var progress = NIODeadline.uptimeNanoseconds(0)
    private var stall: Scheduled<Void>?
    private var end: Scheduled<Void>?
    private var closing: (mode: CloseMode, promises: [EventLoopPromise<Void>])?

    init(_ limits: HTTPServerLimits) {
        stallTimeout = TimeAmount(limits.stallTimeout)
        endsStalledAnswers = limits.endsStalledAnswers
        shutdownGrace = TimeAmount(limits.shutdownGrace)
    }

    static func add(to channel: any Channel, _ limits: HTTPServerLimits) throws {
        let pipeline = channel.pipeline.syncOperations
        let encoder = try pipeline.context(handlerType: HTTPResponseEncoder.self).handler
        guard let encoder = encoder as? HTTPResponseEncoder else {
            throw ChannelPipelineError.notFound
        }
        try pipeline.addHandler(AnswerWatch(limits), position: .after(encoder))
    }

    // MARK: Responses

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard let answer = event as? OutgoingAnswer else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        self.answer = answer
        promise?.succeed()
    }

    func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        guard closing == nil else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        let part = unwrapOutboundIn(data)
        switch part {
        case .head:
            send(part, of: 0, context, promise)
        case .body(.byteBuffer(var rest)):
            while rest.readableBytes > Self.pieceBytes,
                let piece = rest.readSlice(length: Self.pieceBytes)
            {
                send(.body(.byteBuffer(piece)), of: Self.pieceBytes, context, nil)
                // TLS combines everything that waits for a flush into one write and reports only
                // that write.
                flush(context: context)
            }
            send(.body(.byteBuffer(rest)), of: rest.readableBytes, context, promise)
        case .body(let region):
            send(part, of: region.readableBytes, context, promise)
        case .end:
            send(part, of: 0, context, promise)
            answer = nil
        }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        if endsStalledAnswers, waiting > 0, stall == nil { awaitProgress(context) }
    }

    private func send(
        _ part: HTTPServerResponsePart, of byteCount: Int, _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>?
    ) {
        if waiting == 0 { progress = context.eventLoop.now }
        waiting += 1
        var isEnd = false
        if case .end = part { isEnd = true }
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [answer] result in
            self.waiting -= 1
            switch result {
            case .success:
                self.progress = context.eventLoop.now
                answer?.sent(byteCount)
                if isEnd { answer?.finish() }
                if self.waiting == 0 { self.closeIfAsked(context) }
            case .failure:
                // After a failed write, there is nothing left to wait for.
                self.closing?.mode = .all
                self.closeIfAsked(context)
            }
        }
        context.write(wrapOutboundOut(part), promise: written)
    }

    // MARK: Time

    private func awaitProgress(_ context: ChannelHandlerContext) {
        stall = context.eventLoop.assumeIsolated().scheduleTask(
            deadline: progress + stallTimeout
        ) {
            self.stall = nil
            guard self.waiting > 0 else { return }
            // Usually, there was progress in the meantime; moving the timer each time would cost
            // more.
            guard context.eventLoop.now - self.progress >= self.stallTimeout else {
                return self.awaitProgress(context)
            }
            context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, end == nil {
            end = context.eventLoop.assumeIsolated().scheduleTask(in: shutdownGrace) {
                context.close(promise: nil)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: Closing the connection

    func close(
        context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
    ) {
        guard waiting > 0, mode != .input else {
            return context.close(mode: mode, promise: promise)
        }
        closing = (
            closing?.mode == .all ? .all : mode,
            (closing?.promises ?? []) + (promise.map { [$0] } ?? [])
        )
        if stall == nil {
            // Until now, the client had no time limit.
            if !endsStalledAnswers { progress = context.eventLoop.now }
            awaitProgress(context)
        }
        context.flush()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Requests that arrive now would not be answered.
        guard closing?.mode != .all else { return }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stall?.cancel()
        end?.cancel()
        (stall, end, answer) = (nil, nil, nil)
        closing?.promises.forEach { $0.fail(ChannelError.alreadyClosed) }
        closing = nil
        context.fireChannelInactive()
    }

    private func closeIfAsked(_ context: ChannelHandlerContext) {
        guard let (mode, promises) = closing else { return }
        closing = nil
        let closed = context.eventLoop.makePromise(of: Void.self)
        promises.forEach { closed.futureResult.cascade(to: $0) }
        context.close(mode: mode, promise: closed)
    }
}

/// A response in flight, until its connection has sent it or has ended; it is notified of the
/// result exactly once.
///
/// The responder sends it down the channel as an outbound event, ahead of the response.
package final class OutgoingAnswer: Sendable {
    package enum End: Equatable, Sendable {
        case whole
        case cutOff(after: Int)
    }

    private let held: (any Sendable)?
    private let onEnd: @Sendable (End) -> Void
    private let bytesSent = Atomic(0)
    private let isWhole = Atomic(false)

    /// `held` is a permit that is kept as long as this object lives.
    package init(holding held: (any Sendable)? = nil, onEnd: @escaping @Sendable (End) -> Void) {
        self.held = held
        self.onEnd = onEnd
    }

    fileprivate func sent(_ byteCount: Int) {
        bytesSent.add(byteCount, ordering: .relaxed)
    }

    fileprivate func finish() {
        guard !isWhole.exchange(true, ordering: .relaxed) else { return }
        onEnd(.whole)
    }

    deinit {
        if !isWhole.load(ordering: .relaxed) {
            onEnd(.cutOff(after: bytesSent.load(ordering: .relaxed)))
        }
    }
}
