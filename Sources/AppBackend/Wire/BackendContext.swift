import CampaignCore
import Hummingbird
import NIOCore

/// What a request's connection tells about it.
struct BackendContext: InitializableFromSource {
    let channel: any Channel

    /// The address at the other end; nil without a socket, as in tests.
    var peer: IPAddress? { channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) } }

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
    }
}
