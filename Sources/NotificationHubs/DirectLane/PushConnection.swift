import CampaignCore
import NIOCore
import NIOSSL
import NIOTLS

/// One connection to the hub, with one request in flight at most.
///
/// It lives on its event loop and reports to a ``PushLoop`` there.
final class PushConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let isSecure: Bool
    private var context: ChannelHandlerContext?
    private var isAgreed = false
    private var progress = AnswerParser.Progress.reading
    /// Who it reports to: nobody before it is made, nor once it is given up.
    private var loop: PushLoop?

    /// Its place among the loop's connections.
    var place = 0

    /// The push whose answer it waits for.
    var flight: PushFlight?

    /// What has come of the answer.
    private(set) var parser = AnswerParser()

    /// What went wrong with it first.
    private(set) var failure: TransportFailure.Cause?

    /// Since when it has had nothing to do.
    var idleSince = NIODeadline.uptimeNanoseconds(0)

    /// Whether requests can go out.
    var isReady: Bool { context != nil && (isAgreed || !isSecure) }

    init(isSecure: Bool) {
        self.isSecure = isSecure
    }

    /// Begins to report.
    func report(to loop: PushLoop) {
        self.loop = loop
    }

    /// Writes a request.
    ///
    /// - Parameters:
    ///   - request: its bytes.
    ///   - flight: what it is for.
    func send(_ request: ByteBuffer, for flight: consuming PushFlight) {
        parser.reset()
        progress = .reading
        self.flight = flight
        context?.writeAndFlush(Self.wrapOutboundOut(request), promise: nil)
    }

    /// Takes the push off the connection.
    func takeFlight() -> PushFlight? {
        defer { flight = nil }
        return flight
    }

    /// Takes the connection's end as that of the answer.
    ///
    /// - Returns: why there is no more of it.
    func endAnswer() -> TransportFailure.Cause {
        progress = parser.readEnd()
        return failure ?? (progress == .malformed ? .malformedAnswer : .connectionLost)
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
        loop.ended(self)
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
        guard flight != nil else {
            // Bytes that nobody asked for would be taken for the next answer.
            failure = failure ?? .malformedAnswer
            giveUp(context)
            return
        }
        progress = parser.read(bytes.readableBytesUInt8Span)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Only now: bytes behind the answer's end have come by here, if there are any.
        if progress != .reading, flight != nil { loop?.answered(self, progress) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = failure ?? TransportFailure(error, requestBegan: flight != nil).cause
        giveUp(context)
    }

    /// Ends it; without a push at once, so that none is sent over what is closing.
    private func giveUp(_ context: ChannelHandlerContext) {
        guard flight == nil, isReady, let loop else { return context.close(promise: nil) }
        loop.retire(self, abruptly: true)
    }
}

/// One push that has begun and has no result yet.
struct PushFlight {
    let page: OutgoingPage
    let index: Int
    /// When its answer has to be there, that to a second request included.
    let deadline: NIODeadline
    let trackingID: TrackingID
    /// Requests whose bytes were handed to a connection.
    var requests = 0
    /// Which token the last request went out with.
    var token = 0

    var number: Int { page.pushes[index].number }
}

/// A connection that is being made, and the push that it is made for.
final class OpeningConnection {
    /// When TLS has to be agreed on.
    let deadline: NIODeadline

    /// What goes out over it first; nil when that has ended meanwhile.
    var flight: PushFlight?

    /// The connection, once the network has made it and while TLS is agreed on.
    var connection: PushConnection?

    init(for flight: PushFlight, deadline: NIODeadline) {
        self.flight = flight
        self.deadline = deadline
    }
}
