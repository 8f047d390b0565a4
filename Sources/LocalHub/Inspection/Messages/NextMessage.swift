import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import ServiceLifecycle

/// Waits for a message: `GET /.hubsend/messages/next`.
///
/// A send only wakes the waiting request; it never waits for it. The wait ends when a message
/// arrives, the timeout expires, the client disconnects or the hub stops.
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

    /// Starts waiting; throws a 503 if there are too many streams and waiting requests.
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
        // This runs under the lock instead of on a snapshot, because it is called for each push but
        // reads few messages.
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
        // Once a handler has waited for the client to disconnect, Hummingbird reads no more
        // requests from the connection.
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
                    // The task was cancelled because the wait has already ended.
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
        detail: "No matching message arrived within the timeout; try again, or read "
            + "/.hubsend/sends to see what was sent.")

    fileprivate static let waitEnded = HubFailure(
        status: .serviceUnavailable,
        detail: "The hub is shutting down or was deleted; start it again.")
}
