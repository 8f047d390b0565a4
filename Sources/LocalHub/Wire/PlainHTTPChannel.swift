import HummingbirdCore
import Logging
import NIOCore

/// Sets up connections without TLS, whose answers go out before they close, and serves them.
struct PlainHTTPChannel: ServerChildChannel {
    /// What serves them.
    let http1: HTTP1Channel
    /// How long things may take.
    let limits: LocalHubLimits

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http1.setup(channel: channel, logger: logger).flatMapThrowing { value in
            try AnswersBeforeClose.add(to: channel, limits)
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http1.handle(value: value, logger: logger)
    }
}
