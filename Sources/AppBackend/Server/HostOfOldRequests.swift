import NIOCore
import NIOHTTP1

/// Names the host of a request that need not name one itself: HTTP/1.0 has no `Host` field.
///
/// What such a request was sent to is where its connection came in. Behind this handler a request
/// without a host is a fault, whatever its version; what comes later does not know the version.
final class HostOfOldRequests: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private static let field = "Host"

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), head.version == .http1_0,
            !head.headers.contains(name: Self.field)
        else { return context.fireChannelRead(data) }
        head.headers.add(name: Self.field, value: Self.host(of: context.localAddress))
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private static func host(of address: SocketAddress?) -> String {
        // A connection that has just ended has no address any more.
        guard let host = address?.ipAddress, let port = address?.port else { return "localhost" }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
