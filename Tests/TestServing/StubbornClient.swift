import NIOCore
import NIOPosix
import TestSupport

/// A client that does not close its connection when the server does.
package enum StubbornClient {
    package enum Moment: Sendable {
        case answered
        case ended
        /// The first bytes have arrived; the client reads nothing more.
        case choked
    }

    /// Keeps a connection to 127.0.0.1 during a test.
    package static func hold(
        port: Int, _ request: String, until moment: Moment, _ test: () async throws -> Void
    ) async throws {
        let isReached = Watched(false)
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        Keeper(until: moment, isReached))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        do {
            try await channel.writeAndFlush(ByteBuffer(string: request))
            try await isReached.wait { $0 }
            try await test()
        } catch {
            channel.close(promise: nil)
            throw error
        }
        channel.close(promise: nil)
    }

    private final class Keeper: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let moment: Moment
        private let isReached: Watched<Bool>

        init(until moment: Moment, _ isReached: Watched<Bool>) {
            self.moment = moment
            self.isReached = isReached
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard moment != .ended else { return }
            if moment == .choked {
                context.channel.setOption(.autoRead, value: false).whenComplete { _ in }
            }
            isReached.update { $0 = true }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if moment == .ended, case .inputClosed? = event as? ChannelEvent {
                isReached.update { $0 = true }
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            isReached.update { $0 = true }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    }
}
