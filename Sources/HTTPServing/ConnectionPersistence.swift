import NIOCore
import NIOHTTP1
import Synchronization

/// Ends an HTTP/1 connection after the answer to a request that asks for it, or when the server has
/// too many, and says so in the answer (RFC 9112, sections 9.3 and 9.6).
///
/// Hummingbird keeps every connection whose `Connection` field is not exactly `close`.
final class ConnectionPersistence: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private static let field = "Connection"

    private let open: OpenConnections
    /// The requests whose answer has not begun.
    private var unanswered = 0
    /// Whether the last request is older than HTTP/1.1.
    private var isOld = false
    /// Whether no request may follow the last one.
    private var isLast = false
    /// Whether that one has been read whole; what comes then is ignored.
    private var isOver = false
    /// Whether the connection ends with the answer that is being written.
    private var isEnding = false

    init(_ open: OpenConnections) {
        self.open = open
    }

    static func add(to channel: any Channel, _ open: OpenConnections) throws {
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.context(
            handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self
        ).handler
        try pipeline.addHandler(ConnectionPersistence(open), position: .after(decoder))
    }

    func handlerAdded(context: ChannelHandlerContext) { open.add(1) }

    func handlerRemoved(context: ChannelHandlerContext) { open.add(-1) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            let head = asking(with: head)
            context.fireChannelRead(isOld ? wrapInboundOut(.head(head)) : data)
        case .end:
            isOver = isLast
            context.fireChannelRead(data)
        case .body:
            context.fireChannelRead(data)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Otherwise Hummingbird would answer it.
        if isOver, error is HTTPParserError { return }
        context.fireErrorCaught(error)
    }

    /// The head of the next request, without what only HTTP/1.1 knows.
    private func asking(with head: HTTPRequestHead) -> HTTPRequestHead {
        unanswered += 1
        isLast = !head.isKeepAlive
        isOld = head.version != .http1_1
        guard isOld else { return head }
        // The decoder lets keep-alive outweigh it.
        if head.headers[canonicalForm: Self.field].contains(where: { $0.lowercased() == "close" }) {
            isLast = true
        }
        // An old client would take an interim answer for the answer (RFC 9110, section 10.1.1).
        var head = head
        head.headers.remove(name: "Expect")
        return head
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.code >= 200:
            context.write(wrapOutboundOut(.head(answering(with: head))), promise: promise)
        case .end where isEnding:
            context.write(data, promise: promise)
            context.close(mode: .output, promise: nil)
        default:
            context.write(data, promise: promise)
        }
    }

    /// The head of the next answer, with what it says about the connection.
    private func answering(with head: HTTPResponseHead) -> HTTPResponseHead {
        var head = head
        unanswered = max(0, unanswered - 1)
        // A responder that names an end brings it about itself.
        guard !head.headers.contains(name: Self.field) else { return head }
        isEnding = unanswered == 0 && (isLast || open.areTooMany)
        if isOld, !head.headers.contains(name: "Content-Length") {
            // Old clients do not know chunks; their bodies end with the connection.
            head.version = .http1_0
            isEnding = true
        }
        isOver = isOver || isEnding
        if isEnding || isOld {
            head.headers.add(name: Self.field, value: isEnding ? "close" : "keep-alive")
        }
        return head
    }
}

/// The number of a server's open HTTP/1 connections.
final class OpenConnections: Sendable {
    private let count = Atomic(0)
    private let kept: Int

    /// - Parameter kept: the most that stay open between requests.
    init(kept: Int) {
        self.kept = kept
    }

    var areTooMany: Bool { count.load(ordering: .relaxed) > kept }

    func add(_ difference: Int) {
        count.add(difference, ordering: .relaxed)
    }
}
