import CampaignCore
import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS

/// One connection to the hub, with one request in flight at most: it writes requests and reads answers.
///
/// It lives on its event loop and reports to a ``PushLoop`` there.
final class PushConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let isSecure: Bool
    private var context: ChannelHandlerContext?
    private var isAgreed = false
    /// Whether it waits for an answer.
    private var isWaiting = false
    private var progress = AnswerParser.Progress.reading
    /// What has come of the answer.
    private var parser = AnswerParser()
    /// Who it reports to: nobody before it is made, nor once it is given up.
    private var loop: PushLoop?

    /// What the loop knows it by.
    private(set) var id = 0

    /// What went wrong with it first.
    private(set) var failure: TransportFailure.Cause?

    /// Whether requests can go out.
    var isReady: Bool { context != nil && (isAgreed || !isSecure) }

    /// Whether another request can go over it once the answer is complete.
    var keepsAlive: Bool { parser.keepsAlive }

    init(isSecure: Bool) {
        self.isSecure = isSecure
    }

    /// Begins to report.
    func report(to loop: PushLoop, as id: Int) {
        self.loop = loop
        self.id = id
    }

    /// Writes a request.
    func send(_ request: ByteBuffer) {
        parser.reset()
        progress = .reading
        isWaiting = true
        context?.writeAndFlush(Self.wrapOutboundOut(request), promise: nil)
    }

    /// Takes the answer, after which another request can go out.
    func takeAnswer(hiding secrets: KnownSecrets) -> LaneMachine.Answer? {
        defer { isWaiting = false }
        return answer(hiding: secrets)
    }

    /// What the hub said to the request in flight, whatever becomes of the rest of the answer's body.
    ///
    /// - Parameter secrets: what no result may tell.
    /// - Returns: nil before the answer's header is whole, and without a request.
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

    /// Closes it, and reports nothing more.
    ///
    /// - Parameter abruptly: whether the server is given no chance to say goodbye, since it says
    ///   nothing, or nonsense.
    func close(abruptly: Bool) {
        loop = nil
        guard let context else { return }
        if abruptly, isSecure {
            do {
                // Behind the handler that would wait for the other side's end of TLS.
                try context.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)
                    .close(promise: nil)
                return
            } catch {
                // It has left the pipeline: then there is nothing to wait for either.
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
        // Some answers are complete by the connection's end.
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
            // Bytes that nobody asked for would be taken for the next answer.
            failure = failure ?? .malformedAnswer
            giveUp(context)
            return
        }
        progress = parser.read(bytes.readableBytesUInt8Span)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Only now: bytes behind the answer's end have come by here, if there are any.
        if progress != .reading, isWaiting { loop?.answered(self, progress) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = failure ?? TransportFailure(error, requestBegan: isWaiting).cause
        giveUp(context)
    }

    /// Ends it; without a push at once, so that none is sent over what is closing.
    private func giveUp(_ context: ChannelHandlerContext) {
        guard !isWaiting, isReady, let loop else { return context.close(promise: nil) }
        loop.broke(self)
    }
}
