import NIOCore
import NIOHTTP1
import Synchronization

/// Sees the answers of one connection out.
///
/// They go out in pieces, and a client may take as long as it likes, as long as it takes a piece
/// now and then: only one that takes nothing for a while loses its connection. Whoever else closes
/// the connection, such as a server that ends or thinks that nobody asks for anything, waits until
/// what was written is out; at the end of a server no longer than its grace.
///
/// "Gone out" is what a server can know: the system has taken the last byte. What is only buffered
/// here does not count.
final class AnswerWatch: ChannelDuplexHandler {
    typealias InboundIn = Any
    typealias InboundOut = Any
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The bytes of a piece: with it taken, the client has got on.
    static let pieceBytes = 16_384

    private let stallTimeout: TimeAmount
    private let shutdownGrace: TimeAmount
    /// The answer that is announced or being written; nil: nobody asks what becomes of it.
    private var answer: OutgoingAnswer?
    /// Writes that the system has not taken yet.
    private var waiting = 0
    /// When it took the last one, or when there was something to take again.
    private var progress = NIODeadline.uptimeNanoseconds(0)
    private var stall: Scheduled<Void>?
    private var end: Scheduled<Void>?
    /// What is left to do when all is out.
    private var closing: (mode: CloseMode, promises: [EventLoopPromise<Void>])?

    /// Watches a connection that has not begun.
    ///
    /// - Parameters:
    ///   - stallTimeout: how long a client may take nothing of what waits for it.
    ///   - shutdownGrace: how long answers may go on after the server began to end.
    init(stallTimeout: TimeAmount, shutdownGrace: TimeAmount) {
        self.stallTimeout = stallTimeout
        self.shutdownGrace = shutdownGrace
    }

    // MARK: Answers

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
                // TLS makes one write of all that waits for a flush, and tells of all of it at once.
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
        if waiting > 0, stall == nil { awaitProgress(context) }
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
                // Nothing goes out any more that would be worth waiting for.
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
            // Most of the time something went out meanwhile; moving the timer each time costs more.
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

    // MARK: The connection's end

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
        flush(context: context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Nobody would answer what comes now.
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

/// An answer on its way, from before it is written until its connection has taken it or has ended.
///
/// It goes down the channel ahead of the answer, as an event for the ``AnswerWatch``. Whatever
/// becomes of it there, nothing holds it in the end, and it has been told how it ended by then or
/// never will be.
final class OutgoingAnswer: Sendable {
    /// How an answer ended.
    enum End: Equatable {
        /// The system has taken all of it.
        case whole
        /// The connection ended before.
        ///
        /// - Parameter bytes: how many of its body's the system had taken.
        case cutOff(after: Int)
    }

    private let share: AnswerShare?
    private let slot: ReceiptSlot?
    private let onEnd: @Sendable (End) -> Void
    private let bytesSent = Atomic(0)
    private let isWhole = Atomic(false)

    /// Makes one that nothing has been written of.
    ///
    /// - Parameters:
    ///   - share: its part of what may be on its way; nil: it is small.
    ///   - slot: room for the receipt; nil: none is owed.
    ///   - onEnd: is told once how it ended.
    init(
        share: AnswerShare?, slot: ReceiptSlot?, onEnd: @escaping @Sendable (End) -> Void
    ) {
        self.share = share
        self.slot = slot
        self.onEnd = onEnd
    }

    /// So many more bytes of its body have gone out.
    func sent(_ byteCount: Int) {
        bytesSent.add(byteCount, ordering: .relaxed)
    }

    /// It has gone out whole.
    func finish() {
        guard !isWhole.exchange(true, ordering: .relaxed) else { return }
        slot?.fill()
        onEnd(.whole)
    }

    deinit {
        if !isWhole.load(ordering: .relaxed) {
            onEnd(.cutOff(after: bytesSent.load(ordering: .relaxed)))
        }
    }
}
