import Glibc
import HTTPServing

/// How much the backend takes and how long it waits.
package struct BackendLimits: Hashable, Sendable {
    /// The largest body of a request in bytes; beyond it the answer is 413.
    package var bodyBytes = 65_536
    /// The largest header block in bytes; beyond it the answer is 400.
    package var headerBytes = 16_384
    /// The most header fields of a request; beyond it the answer is 400.
    package var headers = 64
    /// The most connections; further ones wait to be accepted.
    package var connections = 4_096
    /// The most requests that are worked on at a time; beyond it the answer is 503.
    package var requests = 1_024
    /// The most requests that wait for the hub at a time, so that a slow hub leaves room for those
    /// that do not need it; beyond it the answer is 503.
    package var hubRequests = 64
    /// The most bytes of large answers that are on their way to slow clients, an eighth of them to
    /// one person and a half to one address; beyond it the answer is 503.
    package var answerBytes = 268_435_456
    /// How long a connection may rest between requests, and how long the head of one may take.
    package var idleTimeout: Duration = .seconds(60)
    /// How long a body may take from its first byte on.
    package var bodyTimeout: Duration = .seconds(15)
    /// How long a client may read nothing of an answer; one that reads a little now and then may
    /// take as long as it likes.
    package var stallTimeout: Duration = .seconds(30)
    /// How long requests in flight, and their answers, may go on after a stop began.
    package var shutdownGrace: Duration = .seconds(10)
    /// The most receipts that wait to be written; beyond it a `read` gets 503, and so does a fetch
    /// after ``receiptPatience``.
    package var receipts = 16_384
    /// How long a request waits for receipts to be written; as long as they fail, `/ready` says so.
    package var receiptPatience: Duration = .seconds(3)
    /// How long the first of some `fetched` receipts waits for others, so that they share a
    /// transaction.
    package var gathering: Duration = .milliseconds(50)
    /// The most registration ids of a user; the one used longest ago makes room.
    package var registrationsPerUser = 100
    /// How long what the caller sent to themselves can be fetched.
    package var ownPayloadLife: Duration = .seconds(7 * 24 * 3600)

    /// The usual limits.
    package init() {}

    /// Those of the server.
    var http: HTTPServerLimits {
        var limits = HTTPServerLimits(
            headerBytes: headerBytes, headers: headers, idleTimeout: idleTimeout,
            bodyTimeout: bodyTimeout, stallTimeout: stallTimeout, shutdownGrace: shutdownGrace)
        limits.endsStalledAnswers = true
        limits.unsentBytes = Self.unsentBytes
        return limits
    }

    private static let unsentBytes = 65_536
}

/// How many files and connections the process may have open (`RLIMIT_NOFILE`).
package enum OpenFiles {
    /// More than the backend ever uses.
    private static let wanted: rlim_t = 65_536
    /// What every system allows, where it does not say.
    private static let usual = 1_024

    /// Raises the limit as far as the system lets this process.
    ///
    /// - Returns: the limit from now on, at least 256.
    package static func raise() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limit) == 0 else { return usual }
        let before = limit.rlim_cur
        limit.rlim_cur = max(before, min(limit.rlim_max, wanted))
        // Where it cannot be raised, what there was is left.
        let now = unsafe setrlimit(resource, &limit) == 0 ? limit.rlim_cur : before
        return max(256, Int(clamping: now))
    }
}
