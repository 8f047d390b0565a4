import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Answers requests without a body on the event loop that reads them.
///
/// A response is written before the event loop does anything else, unless it has to wait. Requests
/// with a body, and requests that arrive while one is in progress, go to Hummingbird, whose
/// asynchronous channel costs as much as the rest of a small response.
final class DirectAnswers: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart
    /// Input that must not overtake a response in progress.
    private enum Held {
        case part(HTTPRequestPart)
        case event(Any)
        case error(any Error)
    }

    private let respond: BoundedHTTPServer.Respond
    private let idleTimeout: TimeAmount
    private let pending: PendingAnswers
    /// A request without a body, until its end arrives.
    private var head: HTTPRequest?
    /// Whether a response is awaited.
    private var isAnswering = false
    /// The task that works on the response, until it ends.
    private var answering: Task<Void, Never>?
    /// Whether a response is awaited, or too much of a response is unsent.
    private var isBusy = false
    private var held = CircularBuffer<Held>()
    private var isReleasing = false
    /// Whether the connection is about to end, so that no further request is read.
    private var isEnding = false
    private var isIgnoring = false
    private var isReadAwaited = false
    private var closing: (mode: CloseMode, promises: [EventLoopPromise<Void>])?
    /// The number of requests that were passed on and have no complete response yet.
    private var passedOn = 0
    /// Whether one of these requests has not been read completely.
    private var isBeingRead = false
    private var lastActivity = NIODeadline.uptimeNanoseconds(0)
    private var idleCheck: Scheduled<Void>?

    init(
        idleTimeout: TimeAmount, pending: PendingAnswers,
        _ respond: @escaping BoundedHTTPServer.Respond
    ) {
        self.idleTimeout = idleTimeout
        self.pending = pending
        self.respond = respond
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        take(.part(unwrapInboundIn(data)), context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        take(.event(event), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        take(.error(error), context)
    }

    private func take(_ next: Held, _ context: ChannelHandlerContext) {
        lastActivity = context.eventLoop.now
        guard !isBusy, held.isEmpty || isReleasing else { return held.append(next) }
        switch next {
        case .part(let part): take(part, context)
        case .event(let event): context.fireUserInboundEventTriggered(event)
        case .error(let error): context.fireErrorCaught(error)
        }
    }

    private func take(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        if isEnding, case .head = part { isIgnoring = true }
        if isIgnoring { return }
        switch part {
        case .head(let next) where passedOn == 0 && Self.hasNoBody(next):
            head = next
        case .head:
            passOn(part, context)
        case .body:
            if let head { passOn(.head(head), context) }
            head = nil
            context.fireChannelRead(wrapInboundOut(part))
        case .end:
            if let head {
                self.head = nil
                return answer(head, context)
            }
            isBeingRead = false
            context.fireChannelRead(wrapInboundOut(part))
        }
    }

    private func passOn(_ head: HTTPRequestPart, _ context: ChannelHandlerContext) {
        passedOn += 1
        isBeingRead = true
        context.fireChannelRead(wrapInboundOut(head))
    }

    private static func hasNoBody(_ head: HTTPRequest) -> Bool {
        let fields = head.headerFields
        return fields[.transferEncoding] == nil && fields[.expect] == nil
            && (fields[.contentLength].map { $0 == "0" } ?? true)
    }

    // MARK: Responses

    private func answer(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
        (isAnswering, isBusy) = (true, true)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let channel = context.channel
        // This cannot be a child of the connection's task, which waits for the connection to end.
        // When the connection ends, it cancels this task, and the connection's own task then awaits
        // it.
        let answer: @Sendable () async -> Void = { [respond] in
            let response = await respond(request, channel)
            let body = await Self.content(of: response.body)
            let (handler, context) = bound.value
            handler.write(response.head, body, context)
        }
        let task = Task.immediate(executorPreference: EventLoopExecutor(context.eventLoop)) {
            await answer()
        }
        guard isAnswering else { return }
        answering = task
        pending.add(task, of: channel)
    }

    private static func content(of body: ResponseBody) async -> [ByteBuffer] {
        let content = BodyContent()
        guard body.contentLength != 0 else { return [] }
        do {
            try await body.write(content)
        } catch {
            assertionFailure("\(error)")
        }
        return content.buffers.withLock(\.self)
    }

    private func write(
        _ head: HTTPResponse, _ body: [ByteBuffer], _ context: ChannelHandlerContext
    ) {
        if answering != nil { pending.remove(of: context.channel) }
        (isAnswering, answering) = (false, nil)
        noteEnd(in: head)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        for buffer in body { context.write(wrapOutboundOut(.body(buffer)), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        lastActivity = context.eventLoop.now
        if context.channel.isWritable { release(context) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isBusy, !isAnswering, context.channel.isWritable { release(context) }
        context.fireChannelWritabilityChanged()
    }

    /// Handles input that arrived during the response.
    private func release(_ context: ChannelHandlerContext) {
        isBusy = false
        // This is called again after the response to one of those requests.
        guard !isReleasing else { return }
        isReleasing = true
        let hasHeld = !held.isEmpty
        while !isBusy, let next = held.popFirst() { take(next, context) }
        isReleasing = false
        // Hummingbird's channel delivers its input only at that point.
        if hasHeld { context.fireChannelReadComplete() }
        guard !isBusy else { return }
        if isReadAwaited {
            isReadAwaited = false
            context.read()
        }
        if let (mode, promises) = closing {
            closing = nil
            let closed = context.eventLoop.makePromise(of: Void.self)
            promises.forEach { closed.futureResult.cascade(to: $0) }
            context.close(mode: mode, promise: closed)
        }
    }

    func read(context: ChannelHandlerContext) {
        if isBusy { isReadAwaited = true } else { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            noteEnd(in: head)
        case .body:
            break
        case .end:
            passedOn = max(0, passedOn - 1)
            lastActivity = context.eventLoop.now
        }
        context.write(data, promise: promise)
    }

    private func noteEnd(in head: HTTPResponse) {
        if head.headerFields[.connection] == "close" { isEnding = true }
    }

    // MARK: Stopping

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode != .input { isEnding = true }
        guard isBusy, mode != .input else { return context.close(mode: mode, promise: promise) }
        closing = (
            closing?.mode == .all ? .all : mode,
            (closing?.promises ?? []) + (promise.map { [$0] } ?? [])
        )
    }

    func handlerAdded(context: ChannelHandlerContext) {
        lastActivity = context.eventLoop.now
        checkIdleness(context, at: lastActivity + idleTimeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    private func end() {
        answering?.cancel()
        idleCheck?.cancel()
        held.removeAll()
        closing?.promises.forEach { $0.fail(ChannelError.alreadyClosed) }
        (answering, idleCheck, closing) = (nil, nil, nil)
    }

    private func checkIdleness(_ context: ChannelHandlerContext, at deadline: NIODeadline) {
        idleCheck = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            let now = context.eventLoop.now
            if self.isBusy || self.passedOn > (self.isBeingRead ? 1 : 0) { self.lastActivity = now }
            let end = self.lastActivity + self.idleTimeout
            guard now >= end else { return self.checkIdleness(context, at: end) }
            context.close(promise: nil)
        }
    }
}

/// Collects the bytes that a body writes.
private final class BodyContent: ResponseBodyWriter {
    let buffers = Mutex<[ByteBuffer]>([])

    func write(_ buffer: ByteBuffer) async throws {
        buffers.withLock { $0.append(buffer) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// Responses that were not ready immediately, by connection.
final class PendingAnswers: Sendable {
    private let tasks = Mutex<[ObjectIdentifier: Task<Void, Never>]>([:])

    func add(_ task: Task<Void, Never>, of connection: any Channel) {
        tasks.withLock { $0[ObjectIdentifier(connection)] = task }
    }

    func remove(of connection: any Channel) {
        tasks.withLock { $0[ObjectIdentifier(connection)] = nil }
    }

    /// Waits for the response that was still being prepared when a connection ended.
    func end(of connection: any Channel) async {
        await tasks.withLock { $0.removeValue(forKey: ObjectIdentifier(connection)) }?.value
    }
}
