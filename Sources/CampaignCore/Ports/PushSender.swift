/// Sends pages of pushes to a hub.
///
/// A page is a unit of hand-over, not a barrier: calls of ``send(_:handing:)`` run at once and
/// share connections and the limit on requests in flight. One hanging request holds up nothing
/// else.
package protocol PushSender: PushDescriber {
    /// Sends every push of a page and hands over one result for each.
    ///
    /// Results come in batches, at least every 250 ms. After a cancellation or a `stop`, no request
    /// begins, those in flight end within their timeout, and the rest come back as
    /// ``PushDisposition/notSent``. The same happens once the page's lease, checked before each
    /// request, is not held.
    ///
    /// If no connection succeeds, or nothing comes back within a timeout, the rest of the page
    /// fails the same way at once. The next page tries again.
    ///
    /// - Parameter results: takes a batch; the sender waits for it before it hands over the next.
    func send(_ page: PushPage, handing results: @Sendable ([PushResult]) async -> Void) async
}

/// Shows what a send would look like, with the same encoder.
package protocol PushDescriber: Sendable {
    /// The request of a page's first push; the signature is hidden and never computed.
    func describe(_ page: PushPage) -> PushRequest?
}

/// Pushes for one platform, at most one second of sending at the current rate.
package struct PushPage: Sendable {
    package static let maximumCount = 4096

    package var platform: Platform
    package var contentType: String
    package var headers: [PushHeader]
    package var pushes: [Push]
    /// The least time between requests on all platforms together; nil: unlimited.
    package var interval: Duration?
    /// The least time between requests of this platform while the hub throttles it.
    package var platformInterval: Duration?
    /// Requests of this platform in flight at once, at least 1; nil: all the sender has.
    ///
    /// A slow platform leaves connections to the others this way. The newest page decides.
    package var concurrency: Int?
    package var run: RunID?
    /// Checked before each request; nil: nobody else can take over.
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
    /// Unique in its page.
    package var number: Int
    /// 1 to 20.
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
    /// Status and reason, without controls, at most 200 characters; empty if accepted.
    package var detail: String
    package var hubMessage: String?
    /// 0 if it did not begin, 2 if a token was renewed in between, 1 if a lease ended there.
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
    /// Never again.
    case rejected
    /// It did not go out; try again after the delay.
    case retry(after: Duration?, cause: RetryCause)
    /// It may have gone out.
    case unknown
    /// It did not go out, and no other will: end the run.
    case stop(StopCause)
    /// The sender was cancelled, or the lease ended, before it began.
    case notSent

    package enum RetryCause: Hashable, Sendable {
        case throttled
        case unreachable
    }

    package enum StopCause: Hashable, Sendable {
        /// The hub has used up the pushes or requests of its tier.
        case quota
        /// Key or rule refused, also after a token renewal.
        case credentials
        /// The namespace has no hub of that name.
        case hubNotFound
        /// What answers is not a notification hub, or its certificate cannot be trusted.
        case notAHub
    }
}

package struct PushRequest: Hashable, Sendable {
    package var method: String
    /// Absolute; `https://<hub>/…` if no hub is known.
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
