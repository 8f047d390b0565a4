/// Sends pages of pushes to a hub.
///
/// Calls of ``send(_:handing:)`` run concurrently and share the connections and the limit on
/// requests in flight. One hanging request does not delay others.
package protocol PushSender: PushDescriber {
    /// Sends every push of a page and reports one result for each.
    ///
    /// Results come in batches, at least every 250 ms. After a cancellation or a `stop`, no more
    /// requests start, those in flight end within their timeout, and the remaining pushes are
    /// reported as ``PushDisposition/notSent``. The same happens when the page's lease, which is
    /// checked before each request, has ended.
    ///
    /// If no connection succeeds, or there is no response within a timeout, the remaining pushes of
    /// the page fail immediately in the same way. Sending is tried again with the next page.
    ///
    /// - Parameter results: receives a batch; the sender waits for its return before reporting the
    /// next batch.
    func send(_ page: PushPage, handing results: @Sendable ([PushResult]) async -> Void) async
}

/// Shows the requests that would be sent, made by the same encoder.
package protocol PushDescriber: Sendable {
    /// The request of a page's first push; its signature is hidden and not computed.
    func describe(_ page: PushPage) -> PushRequest?
}

/// Pushes for one platform: at most one second of sending at the current rate.
package struct PushPage: Sendable {
    package static let maximumCount = 4096

    package var platform: Platform
    package var contentType: String
    package var headers: [PushHeader]
    package var pushes: [Push]
    /// The minimum time between requests on all platforms together; nil means unlimited.
    package var interval: Duration?
    /// The minimum time between requests of this platform while the hub throttles it.
    package var platformInterval: Duration?
    /// How many requests of this platform may be in flight, at least 1; nil means all connections
    /// of the sender.
    ///
    /// If this platform is slow, connections remain for the other platforms. The limit of the
    /// newest page applies.
    package var concurrency: Int?
    package var run: RunID?
    /// The lease, which is checked before each request; nil if no other process can take over.
    package var lease: RunLease?

    package init(
        platform: Platform, contentType: String, headers: [PushHeader], pushes: [Push],
        interval: Duration?, platformInterval: Duration? = nil, concurrency: Int? = nil,
        run: RunID? = nil, lease: RunLease? = nil
    ) {
        self.platform = platform
        self.contentType = contentType
        self.headers = headers
        self.pushes = pushes
        self.interval = interval
        self.platformInterval = platformInterval
        self.concurrency = concurrency
        self.run = run
        self.lease = lease
    }
}

/// The message for one recipient, or for up to 20 that share one request.
package struct Push: Hashable, Sendable {
    /// The number of the push, which is unique within its page.
    package var number: Int
    /// The recipients, 1 to 20.
    package var usernames: [Username]
    package var body: [UInt8]

    package init(number: Int, usernames: [Username], body: [UInt8]) {
        self.number = number
        self.usernames = usernames
        self.body = body
    }
}

package struct PushResult: Hashable, Sendable {
    package var number: Int
    package var disposition: PushDisposition
    /// The status and reason, at most 200 characters without control characters; empty if accepted.
    package var detail: String
    package var hubMessage: String?
    /// How many requests were made: 0 if sending did not start, 2 if a token was renewed in
    /// between, or 1 if the lease ended before the second request.
    package var requests: Int

    package init(
        number: Int, disposition: PushDisposition, detail: String = "", hubMessage: String? = nil,
        requests: Int = 1
    ) {
        self.number = number
        self.disposition = disposition
        self.detail = detail
        self.hubMessage = hubMessage
        self.requests = requests
    }
}

package enum PushDisposition: Hashable, Sendable {
    case accepted
    /// The hub refused the push, which must not be sent again.
    case rejected
    /// The push was not sent, and should be tried again after the delay.
    case retry(after: Duration?, cause: RetryCause)
    /// The push may have been sent.
    case unknown
    /// The push was not sent, and no other push can be sent, so the run must end.
    case stop(StopCause)
    /// The sender was cancelled, or the lease ended, before the push was sent.
    case notSent

    package enum RetryCause: Hashable, Sendable {
        case throttled
        case unreachable
    }

    package enum StopCause: Hashable, Sendable {
        /// The hub has used up its tier's quota of pushes or requests.
        case quota
        /// The hub refused the key, even after a token renewal.
        case credentials
        /// The namespace has no hub with that name.
        case hubNotFound
        /// The endpoint is not a notification hub, or its certificate cannot be trusted.
        case notAHub
    }
}

package struct PushRequest: Hashable, Sendable {
    package var method: String
    /// The absolute URL; `https://<hub>/…` if no hub is known.
    package var url: String
    package var headers: [PushHeader]
    package var body: [UInt8]

    package init(method: String, url: String, headers: [PushHeader], body: [UInt8]) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}
