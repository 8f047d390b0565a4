import Hummingbird
import NIOCore

/// What the responder needs of the connection that a request came over.
struct HubRequestContext: InitializableFromSource {
    /// The connection.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
    }
}
