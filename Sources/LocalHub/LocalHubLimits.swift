import HTTPServing

package struct LocalHubLimits: Sendable {
    /// The largest request body in bytes; beyond it the answer is 413.
    package var bodyBytes = 65_536
    /// The largest body of a batch send in bytes: 1,000 handles of 4 KB and their notification.
    package var batchBytes = 4_300_000
    /// The largest header block in bytes; beyond it the answer is 400, beyond 16,384 HTTP/2 closes
    /// the connection.
    package var headerBytes = 32_768
    /// The most headers of a request; beyond it the answer is 400.
    package var headers = 100
    /// Further connections to a port wait.
    package var connections = 2_048
    package var handshakeTimeout: Duration = .seconds(10)
    /// The longest pause between requests, or within one.
    package var idleTimeout: Duration = .seconds(120)
    /// Counted from the first byte of the body.
    package var bodyTimeout: Duration = .seconds(30)
    /// How long requests may go on after a shutdown began.
    package var shutdownGrace: Duration = .seconds(5)
    /// How long after its expiry a token is still accepted.
    package var clockSkew: Duration = .seconds(300)
    /// The most hubs of the namespace; beyond it the answer is 403.
    package var hubs = 100
    /// The most devices of a hub, also by direct sends; beyond it the answer is 403.
    package var devices = 20_000
    /// The most registrations of a hub, counting templates; beyond it the answer is 403.
    package var registrations = 40_000
    /// The newest are kept.
    package var pushesPerDevice = 1_000
    package var pushesInAll = 50_000
    /// The payloads of these pushes, in bytes; the oldest are dropped.
    package var pushBytes = 256_000_000
    /// The notifications in telemetry: the newest are kept.
    package var notifications = 50_000
    /// In bytes; the oldest are dropped.
    package var notificationBytes = 64_000_000
    /// Beyond it the answer is 403.
    package var scheduledSends = 10_000
    /// In bytes; beyond it the answer is 403.
    package var scheduledBytes = 64_000_000
    /// The largest file or export of a job in bytes; beyond it the job fails.
    package var blobBytes = 32_000_000
    /// How long a job's file may take before the job fails.
    package var blobTimeout: Duration = .seconds(60)
    /// The newest are kept.
    package var feedback = 1_000
    /// The most event streams and waits for a message, all together; beyond it the answer is 503.
    package var eventStreams = 64

    package init() {}

    var http: HTTPServerLimits {
        var limits = HTTPServerLimits(
            headerBytes: headerBytes, headers: headers, idleTimeout: idleTimeout,
            bodyTimeout: bodyTimeout, stallTimeout: idleTimeout, shutdownGrace: shutdownGrace)
        limits.handshakeTimeout = handshakeTimeout
        return limits
    }

    var firstUnusable: String? {
        let counts = [
            ("bodyBytes", bodyBytes), ("batchBytes", batchBytes), ("headerBytes", headerBytes),
            ("headers", headers),
            ("connections", connections), ("devices", devices),
            ("registrations", registrations), ("hubs", hubs),
            ("pushesPerDevice", pushesPerDevice), ("pushesInAll", pushesInAll),
            ("pushBytes", pushBytes),
            ("notifications", notifications), ("notificationBytes", notificationBytes),
            ("scheduledSends", scheduledSends), ("scheduledBytes", scheduledBytes),
            ("blobBytes", blobBytes), ("feedback", feedback), ("eventStreams", eventStreams),
        ]
        let times = [
            ("handshakeTimeout", handshakeTimeout), ("idleTimeout", idleTimeout),
            ("bodyTimeout", bodyTimeout), ("shutdownGrace", shutdownGrace),
            ("blobTimeout", blobTimeout),
        ]
        return counts.first { $0.1 < 1 }?.0 ?? times.first { $0.1 <= .zero }?.0
            ?? (clockSkew < .zero ? "clockSkew" : nil)
    }
}
