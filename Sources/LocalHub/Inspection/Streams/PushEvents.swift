import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ServiceLifecycle

/// A stream of server-sent events about pushes: `GET /.hubsend/devices/{user}/events`.
///
/// It starts with the pushes that the hub still has, or with those after `Last-Event-ID` or
/// `?after=`, and continues with each new push: `event: push`, its sequence number as `id:`, and
/// ``PushEvent`` as `data:`. A send only wakes the stream, which reads pushes at the speed of its
/// client. A slow client therefore delays no sends and uses no memory, but it may miss the oldest
/// pushes.
struct PushEvents: EventStream {
    /// The longest time without output, after which a comment shows that the hub is alive.
    private static let heartbeat = Duration.seconds(15)
    private static let batch = 100

    private let devices: InspectedDevices
    private let after: Int
    private let hub: HubStore
    private let subscription: PushSubscription
    private let permit: ConcurrencyLimit.Permit
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Starts a stream after a sequence number; throws a 503 if there are too many streams.
    init(
        of devices: InspectedDevices, after sequence: Int, in hub: HubStore,
        _ environment: HubEnvironment
    ) throws(HubFailure) {
        permit = try environment.streams.take()
        self.devices = devices
        self.hub = hub
        subscription = PushSubscription(to: devices, of: hub)
        after = hub.update { $0.start(after: sequence) }
        sleep = environment.sleep
    }

    @concurrent
    func write(
        to writer: inout any ResponseBodyWriter, until request: RequestBody
    ) async throws {
        // The task was cancelled, so there is nothing more to write.
        async let _: Void = request.beat(every: Self.heartbeat, by: sleep) {
            subscription.ring()
        } onEnd: {
            subscription.end()
        }
        var known = after
        for await _ in subscription.rings {
            let events = hub.update { $0.pushes(to: devices, after: known, limit: Self.batch) }
            guard let newest = events.last else {
                try await writer.write(ByteBuffer(string: ":\n\n"))
                continue
            }
            var bytes = ByteBuffer()
            for event in events {
                bytes.writeString(try Self.event("push", id: event.kept.sequence, event))
            }
            try await writer.write(bytes)
            known = newest.kept.sequence
            if events.count == Self.batch { subscription.ring() }
        }
    }
}

struct PushEvent: Encodable {
    let registration: Registration
    let kept: KeptPush

    /// A push, and the members that identify its device.
    func encode(to encoder: any Encoder) throws {
        try PushReport(kept).encode(to: encoder)
        try ReachedDevice(registration).encode(to: encoder)
    }
}
