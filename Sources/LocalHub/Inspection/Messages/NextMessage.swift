import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import ServiceLifecycle

/// A wait for a message: `GET /.hubsend/messages/next`.
///
/// A send only wakes the wait, and never waits for it. The wait ends with the message, after a time, when the client goes
/// away, or when the hub shuts down or is deleted.
struct NextMessage: Sendable {
    private enum End: Sendable {
        case found(Message)
        case timedOut
        case ended
    }

    private let wanted: WantedMessage
    private let timeout: Duration
    private let subscription: PushSubscription
    private let permit: ConcurrencyLimit.Permit
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Begins to wait.
    ///
    /// - Parameters:
    ///   - wanted: which message to wait for.
    ///   - timeout: how long to wait for it.
    ///   - environment: the clock and the permits.
    /// - Throws: a 503 when there are as many streams as can be.
    init(
        _ wanted: WantedMessage, timeout: Duration, _ environment: HubEnvironment
    ) throws(HubFailure) {
        permit = try environment.streams.take()
        self.wanted = wanted
        self.timeout = timeout
        subscription = PushSubscription(
            to: wanted.user.map(InspectedDevices.user), of: wanted.hub)
        sleep = environment.sleep
    }

    /// Waits.
    ///
    /// - Parameter request: the body of the request, which shows when the client goes away.
    /// - Returns: the message, or the reason why there is none.
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
        // Hummingbird reads no further request from a connection on which somebody watched for the client's end.
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

    /// The hub shuts down or was deleted.
    fileprivate static let waitEnded = HubFailure(
        status: .serviceUnavailable, detail: "The hub shuts down or was deleted; start it again.")
}

/// The message that a client waits for.
struct WantedMessage: Sendable {
    /// The exact name of the user; nil: any user.
    let user: String?
    /// The sequence of the last message that the client knows; 0: none.
    let after: Int
    /// The hub.
    let hub: HubStore

    /// The oldest message that fits; nil when there is none yet.
    func find() -> Message? {
        var query = MessageQuery()
        query.user = user
        query.after = after
        // Under the lock and not in a snapshot: this is called for each push, and looks at few messages.
        return hub.update { MessageSearch(query, in: $0).next() }
    }
}

/// How long a client wants to wait for a message.
enum WaitTime {
    /// The usual time.
    static let usual = Duration.seconds(30)

    /// Reads a time such as `30s` or `2m`.
    ///
    /// - Parameter text: the text; nil: the usual time.
    /// - Returns: the time, 1 second to 10 minutes.
    /// - Throws: a 400 for anything else.
    static func read(_ text: String?) throws(HubFailure) -> Duration {
        guard let text else { return usual }
        let digits = text.dropLast()
        guard (1...3).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(digits), let unit = ["s": 1, "m": 60][text.suffix(1)],
            (1...600).contains(number * unit)
        else {
            throw .badRequest("timeout must be a time from 1s to 10m, such as 30s or 2m.")
        }
        return .seconds(number * unit)
    }
}
