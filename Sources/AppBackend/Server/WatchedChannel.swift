import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// An HTTP/1.1 connection with an ``AnswerWatch`` next to its encoder, and ``HostOfOldRequests``
/// next to its decoder.
struct WatchedChannel: ServerChildChannel {
    let base: HTTP1Channel
    let stallTimeout: TimeAmount

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let encoder = try pipeline.context(handlerType: HTTPResponseEncoder.self).handler
            guard let encoder = encoder as? HTTPResponseEncoder else {
                throw ChannelPipelineError.notFound
            }
            try pipeline.addHandler(
                AnswerWatch(stallTimeout: stallTimeout), position: .after(encoder))
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
