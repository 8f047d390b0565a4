import HTTPServing
import HummingbirdCore
import NIOCore

/// A stream of server-sent events about the state of a hub: `GET /.hubsend/changes`.
///
/// `event: change` with ``HubOverview`` as `data:` comes at once and after changes, at most four a
/// second; a comment every 15 seconds shows that the hub is there.
struct ChangeEvents: EventStream {
    static let interval = Duration.milliseconds(250)
    /// How many looks without a change are followed by a comment: 15 seconds.
    private static let looksPerHeartbeat = 60

    private let hub: HubStore
    private let environment: HubEnvironment
    private let permit: ConcurrencyLimit.Permit

    /// Throws a 503 when there are too many streams.
    init(of hub: HubStore, _ environment: HubEnvironment) throws(HubFailure) {
        permit = try environment.streams.take()
        self.hub = hub
        self.environment = environment
    }

    @concurrent
    func write(to writer: inout any ResponseBodyWriter, until request: RequestBody) async throws {
        let (looks, bell) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        bell.yield()
        // Cancelled once there is nothing more to write.
        async let _: Void = request.beat(every: Self.interval, by: environment.sleep) {
            bell.yield()
        } onEnd: {
            bell.finish()
        }
        var known: HubOverview?
        var silent = 0
        for await _ in looks {
            guard environment.namespace.hub(named: hub.name) === hub else { break }
            let overview = HubOverview(of: hub, environment)
            silent += 1
            if overview != known {
                try await writer.write(ByteBuffer(string: try Self.event("change", overview)))
                known = overview
                silent = 0
            } else if silent == Self.looksPerHeartbeat {
                try await writer.write(ByteBuffer(string: ":\n\n"))
                silent = 0
            }
        }
    }
}
