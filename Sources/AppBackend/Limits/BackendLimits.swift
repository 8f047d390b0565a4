import HTTPServing

package struct BackendLimits: Hashable, Sendable {
    /// The largest request body; 413 beyond it.
    package var bodyBytes = 65_536
    /// The largest header block; 431 beyond it.
    package var headerBytes = 16_384
    /// The most header fields; 431 beyond them.
    package var headers = 100
    /// Further connections wait to be accepted; those beyond three quarters end with their answers.
    package var connections = 4_096
    /// The most requests in progress; others wait for their turn.
    package var requests = 1_024
    /// How long a request waits for its turn; 503 after it.
    package var requestPatience: Duration = .seconds(3)
    /// The most requests that wait for the hub; 503 beyond them.
    ///
    /// A slow hub must leave room for requests that do not need it.
    package var hubRequests = 64
    /// The most bytes of large answers in flight; 503 beyond them (``AnswerBudget``).
    package var answerBytes = 268_435_456
    /// How long a connection may be idle, and how long a request's head may take.
    package var idleTimeout: Duration = .seconds(60)
    /// Counted from the first byte of the body.
    package var bodyTimeout: Duration = .seconds(15)
    /// How long a client may read nothing of an answer; slow but steady readers have no limit.
    package var stallTimeout: Duration = .seconds(30)
    /// How long open requests and their answers may go on after a stop began.
    package var shutdownGrace: Duration = .seconds(10)
    /// The most queued receipts; beyond it a `read` gets 503, a fetch after ``receiptPatience``.
    package var receipts = 16_384
    /// How long a request waits for receipts to be written; `/ready` reports failures after that.
    package var receiptPatience: Duration = .seconds(3)
    /// How long the first `fetched` receipt waits for others to share its transaction.
    package var gathering: Duration = .milliseconds(50)
    /// The most registration ids of a user; the least recently used one makes room.
    package var registrationsPerUser = 100
    /// How long a payload that callers sent to themselves can be fetched.
    package var ownPayloadLife: Duration = .seconds(7 * 24 * 3600)

    package init() {}

    var http: HTTPServerLimits {
        var limits = HTTPServerLimits(
            headerBytes: headerBytes, headers: headers, idleTimeout: idleTimeout,
            bodyTimeout: bodyTimeout, stallTimeout: stallTimeout, shutdownGrace: shutdownGrace)
        limits.endsStalledAnswers = true
        limits.unsentBytes = Self.unsentBytes
        // Otherwise clients that only keep their connections would shut out a crowd that comes.
        limits.keptConnections = connections - connections / 4
        return limits
    }

    private static let unsentBytes = 65_536
}
