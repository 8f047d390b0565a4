import Hummingbird
import NIOCore

/// What the responder needs of the connection that a request came over.
struct HubRequestContext: InitializableFromSource {
    /// What carries the request: the connection, or over HTTP/2 a stream of it.
    let channel: any Channel

    /// Whether the channel is one stream of an HTTP/2 connection.
    var isStream: Bool { channel.parent?.remoteAddress != nil }

    /// The connection.
    ///
    /// A stream's parent is its connection, which has a peer. The parent of a connection is the
    /// socket that the hub listens on, which never has one, so nothing that is done to a connection
    /// is ever done to all of them.
    var connection: any Channel {
        isStream ? channel.parent ?? channel : channel
    }

    /// Whether the other side of the connection is on this machine; also without a socket, as in
    /// tests.
    var isPeerLocal: Bool {
        // A connection that has just been closed has no peer any more, and may have come from
        // anywhere.
        guard let peer = channel.remoteAddress else { return channel.parent == nil }
        let address = peer.ipAddress ?? ""
        // An IPv4 peer of a socket for both is written as IPv6.
        return LoopbackHost.contains(
            address.hasPrefix("::ffff:") ? String(address.dropFirst(7)) : address)
    }

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
    }

    /// Closes what carries the request, and waits until nothing can go out on it any more.
    func end() async throws {
        try await Self.end(channel)
    }

    /// Closes the connection, with all requests on it.
    func endConnection() async throws {
        try await Self.end(connection)
        // A stream learns of it a moment later.
        try await channel.closeFuture.get()
    }

    private static func end(_ channel: any Channel) async throws {
        // What the close itself comes to does not matter: another may have closed the channel
        // before.
        channel.close(promise: nil)
        try await channel.closeFuture.get()
    }
}
