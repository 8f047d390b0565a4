import Hummingbird
import NIOCore

/// What the responder needs of the connection that a request came over.
struct HubRequestContext: InitializableFromSource {
    /// The connection.
    let channel: any Channel

    /// Whether the other side of the connection is on this machine; also without a socket, as in tests.
    var isPeerLocal: Bool {
        guard let peer = channel.remoteAddress else { return true }
        let address = peer.ipAddress ?? ""
        // An IPv4 peer of a socket for both is written as IPv6.
        return LoopbackHost.contains(
            address.hasPrefix("::ffff:") ? String(address.dropFirst(7)) : address)
    }

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
    }

    /// Whether the channel is one stream of an HTTP/2 connection; the parent of a whole connection listens, and has no peer.
    var isStream: Bool { channel.parent?.remoteAddress != nil }
}
