import CampaignCore
import Synchronization

/// A number of messages for one push service, each with its own recipients.
///
/// It can contain up to ``messageLimit`` messages, to limit memory usage; if you have more, use
/// several bulk sends, one after another.
public struct BulkSend: Sendable {
    /// The maximum number of messages.
    public static let messageLimit = PushPage.maximumCount

    /// The push service.
    public let format: NotificationFormat

    /// The number of messages.
    public var count: Int { pushes.count }

    /// The minimum time between the starts of two requests; the most recent value applies to all
    /// bulk sends of the client.
    public var interval: Duration?

    fileprivate let contentType: String
    fileprivate let headers: [String: String]
    fileprivate private(set) var pushes: [Push] = []
    fileprivate private(set) var audiences: [String] = []

    /// Creates an empty bulk send; if the content type is nil, the default of the format is used.
    public init(
        format: NotificationFormat, contentType: String? = nil, headers: [String: String] = [:],
        interval: Duration? = nil
    ) throws(NotificationError) {
        let contentType = contentType ?? format.defaultContentType
        guard HeaderField.isValue(contentType) else { throw .invalidHeaderValue("Content-Type") }
        try HeaderField.checkOptions(headers)
        self.format = format
        self.contentType = contentType
        self.headers = headers
        self.interval = interval
    }

    /// Adds a message of 1 to 65,536 bytes in the push service's format.
    public mutating func add(
        _ body: [UInt8], to tags: TagExpression
    ) throws(NotificationError) {
        guard !body.isEmpty else { throw .emptyBody }
        guard body.count <= NativeNotification.bodyLimit else { throw .bodyTooLarge }
        guard count < Self.messageLimit else { throw .tooManyMessages }
        pushes.append(Push(number: count, usernames: [], body: body))
        audiences.append(tags.description)
    }
}

extension BulkSend: SecretHolder {
    /// The push service and the number of messages.
    public var description: String { "BulkSend(\(format.rawValue), \(count) messages, hidden)" }
}

/// The result of one message of a ``BulkSend``.
public struct BulkResult: Sendable, Hashable {
    /// The index of the message; the message that was added first has the index 0.
    public let index: Int

    /// The meaning of the hub's response; nil if the message was not sent because of a cancellation
    /// or a ``Disposition/stop(_:)``.
    public let disposition: Disposition?

    /// The hub's id for the message; nil if the hub did not accept the message, or if its tier does
    /// not assign ids.
    public let messageID: String?

    /// The status and the reason in up to 200 characters; empty for an accepted message.
    public let detail: String

    /// The number of requests made for the message: 2 if a token was renewed in between.
    public let requests: Int

    init(_ result: borrowing PushResult) {
        index = result.number
        messageID = result.hubMessage
        detail = result.detail
        requests = result.requests
        disposition =
            switch result.disposition {
            case .accepted: .accepted
            case .rejected: .rejected
            case .retry(let delay, _): .retry(after: delay)
            case .unknown: .unknown
            case .stop(.quota): .stop(.quota)
            case .stop(.credentials): .stop(.credentials)
            case .stop(.hubNotFound): .stop(.hubNotFound)
            case .stop(.notAHub): .stop(.notAHub)
            case .notSent: nil
            }
    }
}

extension NotificationHubClient {
    /// Sends many messages over separate connections, as fast as the hub responds, and returns the
    /// results.
    ///
    /// Sending starts when you start reading the results; the concurrency limit applies to all bulk
    /// sends together. No message is retried, unless the hub refused the token and it was renewed.
    /// You can resend a message whose disposition is ``Disposition/retry(after:)``. If no
    /// connection can be made, all remaining messages fail immediately.
    public func send(_ bulk: BulkSend) -> BulkResults {
        let page = PushPage(
            platform: bulk.format.facts.queue, contentType: bulk.contentType, headers: [],
            pushes: bulk.pushes, interval: bulk.interval)
        let shared = encoder.headers(
            format: bulk.format.rawValue, contentType: bulk.contentType,
            options: bulk.headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        )
        return BulkResults(
            run: BulkRun(pushLane.prepare(page, headers: shared, audiences: bulk.audiences)))
    }
}

/// The results of the messages of a ``BulkSend``, in batches, as responses arrive.
///
/// Every message has exactly one result. The results can be read only once; a second loop ends
/// immediately. If the task is cancelled or the loop is exited, no more messages are sent.
public struct BulkResults: AsyncSequence, Sendable {
    /// One or more results that arrived together.
    public typealias Element = [BulkResult]

    /// The sequence never fails; the results contain all failures.
    public typealias Failure = Never

    fileprivate let run: BulkRun

    /// Starts reading the results; a second iterator ends immediately.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(run: run.claim() ? run : nil)
    }

    /// Iterates over results.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The iterator never fails; the results contain all failures.
        public typealias Failure = Never

        fileprivate var run: BulkRun?

        /// Returns all results since the last call; nil after the last result.
        public mutating func next() async -> [BulkResult]? {
            guard let batch = await run?.next() else {
                run = nil
                return nil
            }
            return batch.map { BulkResult($0) }
        }
    }
}

/// The state of a bulk send while its results are being read.
private final class BulkRun: Sendable {
    private enum State {
        case unclaimed, claimed, begun
    }

    private let page: PreparedPage
    private let state = Mutex(State.unclaimed)

    init(_ page: PreparedPage) {
        self.page = page
    }

    deinit {
        page.cancel()
    }

    func claim() -> Bool {
        state.withLock { state in
            defer { if case .unclaimed = state { state = .claimed } }
            return state == .unclaimed
        }
    }

    func next() async -> [PushResult]? {
        let begins = state.withLock { state in
            defer { state = .begun }
            return state != .begun
        }
        let page = page
        return await withTaskCancellationHandler {
            if begins { page.begin() }
            return await page.next()
        } onCancel: {
            page.cancel()
        }
    }
}

extension BulkResults: SecretHolder {
    /// A description without the messages.
    public var description: String { "BulkResults(hidden)" }
}
