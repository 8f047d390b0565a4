/// Sends pages of pushes to a hub.
///
/// NotificationHubs implements it. A page is the unit of hand-over, not a barrier: several calls of ``send(_:handing:)`` run
/// at once and share the
/// sender's connections and its bound on requests in flight, and one hanging request holds up nothing else.
package protocol PushSender: PushDescriber {
    /// Sends every push of a page and hands over what became of each.
    ///
    /// Results come in batches as answers arrive, at least every 250 ms while there are any; each push has exactly one.
    /// When the task is cancelled, no further request begins, those in flight end within their timeout, and the rest
    /// come back as ``PushDisposition/notSent``. After a `stop` no further request begins either. A page's lease is looked at whenever
    /// one of its requests is about to be written, a repeated one too: once it is not held, the rest comes back as after a cancellation.
    ///
    /// When no connection can be made, or nothing comes back within a request's timeout, the rest of the page comes back with
    /// the same failure, so that a large page fails as quickly as a small one. The next page tries again.
    ///
    /// - Parameters:
    ///   - page: what to send; requests start no closer together than its intervals (over a second, where these are under 10
    ///     ms), and no more of its platform are in
    ///     flight than its concurrency allows.
    ///   - results: takes a batch; the sender waits for it before it hands over the next of this page.
    func send(_ page: PushPage, handing results: @Sendable ([PushResult]) async -> Void) async
}

/// Shows what a send would look like, with the same encoder.
///
/// NotificationHubs implements it.
package protocol PushDescriber: Sendable {
    /// The exact request of the first push of a page, its signature hidden and never computed.
    func describe(_ page: PushPage) -> PushRequest?
}

/// Pushes of one platform that are handed over together.
///
/// At most one second of sending at the current rate and at most 4,096 pushes.
package struct PushPage: Sendable {
    /// The most pushes in a page.
    package static let maximumCount = 4096

    package var platform: Platform
    package var contentType: String
    package var headers: [PushHeader]
    package var pushes: [Push]
    /// The least time between the starts of two requests, whatever their platform; nil: unlimited.
    package var interval: Duration?
    /// The least time between the starts of two requests of this platform, set while it is asked to go slower; nil: ``interval``
    /// alone counts.
    package var platformInterval: Duration?
    /// Requests of this platform in flight at once, at least 1; nil: as many as the sender has.
    ///
    /// So a slow platform leaves connections to the others. The newest page that is out decides.
    package var concurrency: Int?
    /// The run that it is of, for the log; nil: of none.
    package var run: RunID?
    /// Looked at before each request; nil: nobody else can have taken over.
    ///
    /// What has not begun when it is not held comes back as ``PushDisposition/notSent``.
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

/// The message for one recipient, or for up to 20 that share one request, on one platform.
package struct Push: Hashable, Sendable {
    /// Tells the results of a page apart; unique in its page.
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

/// What became of one push of a page.
package struct PushResult: Hashable, Sendable {
    /// ``Push/number``.
    package var number: Int
    package var disposition: PushDisposition
    /// Status and reason, without controls, at most 200 characters; empty when accepted.
    package var detail: String
    /// The hub's message id, where it gave one.
    package var hubMessage: String?
    /// Requests made for it: 0 when it did not begin, 2 when a token was renewed in between, 1 where a lease ended there.
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

/// What an answer of the hub, or its absence, means for a push.
package enum PushDisposition: Hashable, Sendable {
    /// The hub took it.
    case accepted
    /// Never again.
    case rejected
    /// It did not go out; try again, not before the delay has passed.
    case retry(after: Duration?, cause: RetryCause)
    /// It may have gone out.
    case unknown
    /// It did not go out, and no other will: the run has to end.
    case stop(StopCause)
    /// The sender was cancelled, or the page's lease had ended, before it began.
    case notSent

    package enum RetryCause: Hashable, Sendable {
        /// The hub asked for patience.
        case throttled
        /// No connection came about.
        case unreachable
    }

    package enum StopCause: Hashable, Sendable {
        /// Key or rule refused, also after a token renewal.
        case credentials
        /// The namespace has no hub of that name.
        case hubNotFound
        /// What answers is not a notification hub, or its certificate cannot be trusted.
        case notAHub
    }
}

/// The exact request of a push, as a preview shows it; the signature is never in it.
package struct PushRequest: Hashable, Sendable {
    package var method: String
    /// Absolute; `https://<hub>/…` when no hub is known.
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
