import CampaignCore
import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS

/// A connection to the hub, with at most one request in flight, on the event loop of its
/// ``PushLoop``.
final class PushConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let isSecure: Bool
    private var context: ChannelHandlerContext?
    private var isAgreed = false
    private var isWaiting = false
    private var progress = AnswerParser.Progress.reading
    private var parser = AnswerParser()
    /// The context; nil before the connection is opened and after it is abandoned.
    private var loop: PushLoop?

    private(set) var id = 0

    /// The first problem that occurred.
    private(set) var failure: TransportFailure.Cause?

    var isReady: Bool { context != nil && (isAgreed || !isSecure) }

    var keepsAlive: Bool { parser.keepsAlive }

    init(isSecure: Bool) {
        self.isSecure = isSecure
    }

    func report(to loop: PushLoop, as id: Int) {
        self.loop = loop
        self.id = id
    }

    func send(_ request: ByteBuffer) {
        parser.reset()
        progress = .reading
        isWaiting = true
        context?.writeAndFlush(Self.wrapOutboundOut(request), promise: nil)
    }

    /// Takes the complete response, after which another request can be sent.
    func takeAnswer(hiding secrets: KnownSecrets) -> LaneMachine.Answer? {
        defer { isWaiting = false }
        return answer(hiding: secrets)
    }

    /// The response to the request in flight; nil if its header is not complete yet, or if there is
    /// no request.
    func answer(hiding secrets: KnownSecrets) -> LaneMachine.Answer? {
        guard isWaiting, parser.hasHead else { return nil }
        guard !parser.isAcceptance else {
            let tells = parser.messageID.map { secrets.areTold(by: $0.utf8) } ?? false
            return .accepted(messageID: tells ? nil : parser.messageID)
        }
        var headers = HTTPHeaders()
        for field in parser.fields { headers.add(name: field.name, value: field.value) }
        var answer = HubAnswer(status: parser.status, headers: headers, body: parser.body)
        answer.secrets = secrets
        let error = HubError(refusedBy: answer)
        return .refused(
            status: answer.status, PushDisposition(error.disposition, isAnswered: true),
            detail: error.summary)
    }

    /// Closes the connection without further reports; abruptly means without waiting for the
    /// server.
    func close(abruptly: Bool) {
        loop = nil
        guard let context else { return }
        if abruptly, isSecure {
            do {
                // This bypasses the TLS handler, which would wait for the other side.
                try context.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)
                    .close(promise: nil)
                return
            } catch {
                // The handler has left the pipeline, so there is nothing to wait for.
            }
        }
        context.close(promise: nil)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        guard let loop else { return }
        self.loop = nil
        // The end of the connection completes some responses.
        let isMalformed = isWaiting && parser.readEnd() == .malformed
        loop.ended(
            self, because: failure ?? (isMalformed ? .malformedAnswer : .connectionLost))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted? = event as? TLSUserEvent else { return }
        do {
            try CertificateNames.check(context.channel)
        } catch {
            return errorCaught(context: context, error: error)
        }
        isAgreed = true
        loop?.agreed(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Self.unwrapInboundIn(data)
        guard isWaiting else {
            // Unexpected bytes would be mistaken for the next response.
            failure = failure ?? .malformedAnswer
            giveUp(context)
            return
        }
        progress = parser.read(bytes.readableBytesUInt8Span)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Only now is it known whether there are bytes after the end of the response.
        if progress != .reading, isWaiting { loop?.answered(self, progress) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = failure ?? TransportFailure(error, requestBegan: isWaiting).cause
        giveUp(context)
    }

    /// Ends the connection; if no push is in flight, this happens immediately, so that no push is
    /// sent over a closing connection.
    private func giveUp(_ context: ChannelHandlerContext) {
        guard !isWaiting, isReady, let loop else { return context.close(promise: nil) }
        loop.broke(self)
    }
}
