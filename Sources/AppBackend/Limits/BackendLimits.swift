import HTTPServing

package struct BackendLimits: Hashable, Sendable {
    /// The largest request body; larger ones get 413.
    package var bodyBytes = 65_536
    /// The largest request header; larger ones get 431.
    package var headerBytes = 16_384
    /// The maximum number of header fields; requests with more get 431.
    package var headers = 100
    /// The maximum number of connections; further ones wait to be accepted.
    ///
    /// Above three quarters of this number, connections close after each response.
    package var connections = 4_096
    /// The maximum number of requests in progress; others wait.
    package var requests = 1_024
    /// How long a request waits before it gets 503.
    package var requestTimeout: Duration = .seconds(3)
    /// The maximum number of requests that wait for the hub; others get 503.
    ///
    /// A slow hub must leave room for requests that do not need it.
    package var hubRequests = 64
    /// The maximum number of bytes of large responses in flight; beyond it, requests get 503
    /// (``AnswerBudget``).
    package var answerBytes = 268_435_456
    /// How long a connection may be idle, and how long a request's head may take.
    package var idleTimeout: Duration = .seconds(60)
    /// How long a body may take, counted from its first byte.
    package var bodyTimeout: Duration = .seconds(15)
    /// How long a client may go without reading anything of a response; a slow but steady reader
    /// has no limit.
    package var stallTimeout: Duration = .seconds(30)
    /// How long open requests and responses may continue once the server stops.
    package var shutdownGrace: Duration = .seconds(10)
    /// The maximum number of queued receipts; beyond it, a `read` gets 503 immediately and a fetch
    /// gets 503 after ``receiptTimeout``.
    package var receipts = 16_384
    /// How long a request waits for receipts to be written, and how long writing may fail before
    /// `/ready` reports it.
    package var receiptTimeout: Duration = .seconds(3)
    /// How long the first `fetched` receipt waits for others to share its transaction.
    package var gathering: Duration = .milliseconds(50)
    /// The maximum number of registration ids per user; the least recently used one is removed.
    package var registrationsPerUser = 100
    /// How long a payload that callers send to themselves can be fetched.
    package var ownPayloadLife: Duration = .seconds(7 * 24 * 3600)

    package init() {}

    var http: HTTPServerLimits {
        var limits = HTTPServerLimits(
            headerBytes: headerBytes, headers: headers, idleTimeout: idleTimeout,
            bodyTimeout: bodyTimeout, stallTimeout: stallTimeout, shutdownGrace: shutdownGrace)
        limits.endsStalledAnswers = true
        limits.unsentBytes = Self.unsentBytes
        // Otherwise, idle clients that keep their connections would shut out new ones.
        limits.keptConnections = connections - connections / 4
        return limits
    }

    private static let unsentBytes = 65_536
}
