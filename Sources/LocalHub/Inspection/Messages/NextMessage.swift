import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import ServiceLifecycle

/// A wait for a message: `GET /.hubsend/messages/next`.
///
/// A send only wakes the wait, and never waits for it. The wait ends with the message, its timeout,
/// the client's leaving, or the hub's end.
struct NextMessage: Sendable {
    private enum End: Sendable {
        case found(Message)
        case timedOut
        case ended
    }

    private let query: MessageQuery
    private let hub: HubStore
    private let timeout: Duration
    private let subscription: PushSubscription
    private let permit: ConcurrencyLimit.Permit
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Begins to wait; throws a 503 when there are too many streams and waits.
    init(
        _ query: MessageQuery, in hub: HubStore, timeout: Duration, _ environment: HubEnvironment
    ) throws(HubFailure) {
        permit = try environment.streams.take()
        self.query = query
        self.hub = hub
        self.timeout = timeout
        subscription = PushSubscription(to: query.user.map(InspectedDevices.user), of: hub)
        sleep = environment.sleep
    }

    static func find(_ query: MessageQuery, in hub: HubStore) -> Message? {
        // Under the lock and not in a snapshot: this is called for each push, and looks at few messages.
        hub.update { MessageSearch(query, in: $0).next() }
    }

    func response(to request: RequestBody) async throws -> Response {
        let end = try await request.consumeWithInboundCloseHandler { _ in
            await withTaskCancellationOrGracefulShutdownHandler {
                await wait()
            } onCancelOrGracefulShutdown: {
                subscription.end()
            }
        } onInboundClosed: {
            subscription.end()
        }
        var response =
            switch end {
            case .found(let message): try InspectionResponse.json(MessageReport(message))
            case .timedOut: HubFailure.noMessageYet.response(as: .json)
            case .ended: HubFailure.waitEnded.response(as: .json)
            }
        // Hummingbird reads no further request from a connection on which somebody watched for the client's end.
        response.headers.add("Connection", "close")
        return response
    }

    private func wait() async -> End {
        await withTaskGroup(of: End.self) { tasks in
            tasks.addTask {
                for await _ in subscription.rings {
                    if let message = Self.find(query, in: hub) { return .found(message) }
                }
                return .ended
            }
            tasks.addTask {
                do {
                    try await sleep(timeout)
                    return .timedOut
                } catch {
                    // Cancelled: the wait has come to another end.
                    return .ended
                }
            }
            let end = await tasks.next() ?? .ended
            tasks.cancelAll()
            return end
        }
    }
}

extension HubFailure {
    fileprivate static let noMessageYet = HubFailure(
        status: .notFound,
        detail: "No such message came within the timeout; ask again, or look at /.hubsend/sends "
            + "for what was sent.")

    fileprivate static let waitEnded = HubFailure(
        status: .serviceUnavailable, detail: "The hub shuts down or was deleted; start it again.")
}
