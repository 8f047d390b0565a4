import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// An HTTP/1.1 connection with an ``AnswerWatch`` next to its encoder, and ``HostOfOldRequests``
/// next to its decoder.
struct WatchedChannel: ServerChildChannel {
    /// The bytes that the system may hold and has not sent yet.
    ///
    /// With its usual megabytes a slow client would seem to take nothing for minutes, and an answer
    /// to be out long before it is.
    private static let unsentBytes = 65_536

    let base: HTTP1Channel
    let stallTimeout: TimeAmount
    let shutdownGrace: TimeAmount

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            try channel.syncOptions?.setOption(
                .tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT)),
                value: Self.unsentBytes)
            let pipeline = channel.pipeline.syncOperations
            let encoder = try pipeline.context(handlerType: HTTPResponseEncoder.self).handler
            guard let encoder = encoder as? HTTPResponseEncoder else {
                throw ChannelPipelineError.notFound
            }
            try pipeline.addHandler(
                AnswerWatch(stallTimeout: stallTimeout, shutdownGrace: shutdownGrace),
                position: .after(encoder))
            let decoder = try pipeline.context(
                handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self
            ).handler
            try pipeline.addHandler(HostOfOldRequests(), position: .after(decoder))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
