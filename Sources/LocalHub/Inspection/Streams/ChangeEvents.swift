import HTTPServing
import HummingbirdCore
import NIOCore

/// A stream of server-sent events about the state of a hub: `GET /.hubsend/changes`.
///
/// It sends `event: change` with a ``HubOverview`` as `data:` immediately and after each change, at
/// most four times a second. A comment every 15 seconds shows that the hub is alive.
struct ChangeEvents: EventStream {
    static let interval = Duration.milliseconds(250)
    /// A comment is sent after this many checks without a change, which take 15 seconds.
    private static let checksPerHeartbeat = 60

    private let hub: HubStore
    private let environment: HubEnvironment
    private let permit: ConcurrencyLimit.Permit

    /// Starts a stream; throws a 503 if there are too many streams.
    init(of hub: HubStore, _ environment: HubEnvironment) throws(HubFailure) {
        permit = try environment.streams.take()
        self.hub = hub
        self.environment = environment
    }

    @concurrent
    func write(to writer: inout any ResponseBodyWriter, until request: RequestBody) async throws {
        let (checks, bell) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        bell.yield()
        // The task was cancelled, so there is nothing more to write.
        async let _: Void = request.beat(every: Self.interval, by: environment.sleep) {
            bell.yield()
        } onEnd: {
            bell.finish()
        }
        var known: HubOverview?
        var silent = 0
        for await _ in checks {
            guard environment.namespace.hub(named: hub.name) === hub else { break }
            let overview = HubOverview(of: hub, environment)
            silent += 1
            if overview != known {
                try await writer.write(ByteBuffer(string: try Self.event("change", overview)))
                known = overview
                silent = 0
            } else if silent == Self.checksPerHeartbeat {
                try await writer.write(ByteBuffer(string: ":\n\n"))
                silent = 0
            }
        }
    }
}
