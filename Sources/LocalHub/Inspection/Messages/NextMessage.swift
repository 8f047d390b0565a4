import HTTPTypes
import Hummingbird
import HummingbirdCore
import ServiceLifecycle

/// A wait for a message: `GET /.hubsend/messages/next`.
///
/// A send only rings a bell; so somebody who waits holds up nobody. It ends with the message, after a time, when
/// the client goes away, or when the hub shuts down or is deleted.
struct NextMessage: Sendable {
    private enum End: Sendable {
        case found(Message)
        case timedOut
        case ended
    }

    private let wanted: WantedMessage
    private let timeout: Duration
    private let subscription: PushSubscription
    private let seat: EventStreamSeats.Seat
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Begins to wait.
    ///
    /// - Parameters:
    ///   - wanted: which message to wait for.
    ///   - timeout: how long to wait for it.
    ///   - environment: the clock and the seats.
    /// - Throws: a 503 when there are as many streams as can be.
    init(
        _ wanted: WantedMessage, timeout: Duration, _ environment: HubEnvironment
    ) throws(HubFailure) {
        seat = try environment.streams.take()
        self.wanted = wanted
        self.timeout = timeout
        subscription = PushSubscription(
            to: wanted.user.map(InspectedDevices.user), of: wanted.hub)
        sleep = environment.sleep
    }

    /// Waits.
    ///
    /// - Parameter request: the body of the request, which shows when the client goes away.
    /// - Returns: the message, or why there is none.
    /// - Throws: when the connection's stream of requests breaks.
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
        // Watching for the client's end used up the connection; Hummingbird reads no further request from it.
        response.headers.add("Connection", "close")
        return response
    }

    private func wait() async -> End {
        await withTaskGroup(of: End.self) { tasks in
            tasks.addTask {
                for await _ in subscription.rings {
                    if let message = wanted.find() { return .found(message) }
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
    /// Nothing came within the time.
    fileprivate static let noMessageYet = HubFailure(
        status: .notFound,
        detail: "No such message came within the timeout; ask again, or look at /.hubsend/sends "
            + "for what was sent.")

    /// The hub is about to be no more.
    fileprivate static let waitEnded = HubFailure(
        status: .serviceUnavailable, detail: "The hub shuts down or was deleted; start it again.")
}
