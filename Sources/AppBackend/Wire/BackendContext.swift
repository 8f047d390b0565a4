import CampaignCore
import Hummingbird
import NIOCore

/// What a request's connection tells about it.
struct BackendContext: InitializableFromSource {
    let channel: any Channel

    /// The address at the other end; nil without a socket, as in tests.
    var peer: IPAddress? { IPAddress(of: channel) }

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
    }
}

extension IPAddress {
    /// The address at the other end of a channel; nil without a socket.
    init?(of channel: any Channel) {
        guard let text = channel.remoteAddress?.ipAddress else { return nil }
        self.init(text)
    }
}
