import NIOCore
import NIOHTTP1
import Synchronization

/// Ends an HTTP/1 connection after a response if the request asks for that or the server has too
/// many connections, and announces the end in the response (RFC 9112, sections 9.3 and 9.6).
///
/// Hummingbird itself keeps every connection whose `Connection` field is not exactly `close`.
final class ConnectionPersistence: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private static let field = "Connection"

    private let open: OpenConnections
    /// The number of requests whose response has not begun.
    private var unanswered = 0
    /// Whether the last request has a version below HTTP/1.1.
    private var isOld = false
    /// Whether the last request ends the connection.
    private var isLast = false
    /// Whether the last request was read completely; later input is ignored.
    private var isOver = false
    /// Whether the connection ends with the response that is being written.
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
        // Otherwise, Hummingbird would answer this input.
        if isOver, error is HTTPParserError { return }
        context.fireErrorCaught(error)
    }

    /// Returns the head of the next request, without anything that only HTTP/1.1 has.
    private func asking(with head: HTTPRequestHead) -> HTTPRequestHead {
        unanswered += 1
        isLast = !head.isKeepAlive
        isOld = head.version != .http1_1
        guard isOld else { return head }
        // The decoder gives precedence to keep-alive.
        if head.headers[canonicalForm: Self.field].contains(where: { $0.lowercased() == "close" }) {
            isLast = true
        }
        // An HTTP/1.0 client would mistake an interim response for the final one (RFC 9110, section
        // 10.1.1).
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

    /// Returns the head of the next response, with its `Connection` field.
    private func answering(with head: HTTPResponseHead) -> HTTPResponseHead {
        var head = head
        unanswered = max(0, unanswered - 1)
        // A responder that sets `close` ends the connection itself.
        guard !head.headers.contains(name: Self.field) else { return head }
        isEnding = unanswered == 0 && (isLast || open.areTooMany)
        if isOld, !head.headers.contains(name: "Content-Length") {
            // HTTP/1.0 clients do not understand chunked bodies, so the end of the connection ends
            // the body.
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

    /// - Parameter kept: the maximum number of connections that stay open between requests.
    init(kept: Int) {
        self.kept = kept
    }

    var areTooMany: Bool { count.load(ordering: .relaxed) > kept }

    func add(_ difference: Int) {
        count.add(difference, ordering: .relaxed)
    }
}
