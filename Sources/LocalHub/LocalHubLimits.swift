import HTTPServing

package struct LocalHubLimits: Sendable {
    /// The largest request body in bytes; a larger body gets a 413.
    package var bodyBytes = 65_536
    /// The largest body of a batch send in bytes: enough for 1,000 handles of 4 KB and the
    /// notification.
    package var batchBytes = 4_300_000
    /// The largest header block in bytes; a larger block gets a 400, and over HTTP/2, a block of
    /// more than 16,384 bytes closes the connection.
    package var headerBytes = 32_768
    /// The maximum number of headers of a request; a request with more gets a 400.
    package var headers = 100
    /// The maximum number of connections to a port; further connections have to wait.
    package var connections = 2_048
    package var handshakeTimeout: Duration = .seconds(10)
    /// The longest pause between requests or within a request.
    package var idleTimeout: Duration = .seconds(120)
    /// The longest time for a request body, measured from its first byte.
    package var bodyTimeout: Duration = .seconds(30)
    /// How long requests can continue after a shutdown has started.
    package var shutdownGrace: Duration = .seconds(5)
    /// How long after its expiry a token is still accepted.
    package var clockSkew: Duration = .seconds(300)
    /// The maximum number of hubs in the namespace; creating another returns a 403.
    package var hubs = 100
    /// The maximum number of devices of a hub, including those of direct sends; adding another
    /// returns a 403.
    package var devices = 20_000
    /// The maximum number of registrations of a hub, including templates; adding another returns a
    /// 403.
    package var registrations = 40_000
    /// The maximum number of pushes per device; older pushes are dropped.
    package var pushesPerDevice = 1_000
    package var pushesInAll = 50_000
    /// The maximum size of all payloads in bytes; the oldest pushes are dropped.
    package var pushBytes = 256_000_000
    /// The maximum number of notifications in telemetry; the oldest are dropped.
    package var notifications = 50_000
    /// The maximum size of the telemetry in bytes; the oldest notifications are dropped.
    package var notificationBytes = 64_000_000
    /// The maximum number of scheduled sends; scheduling another returns a 403.
    package var scheduledSends = 10_000
    /// The maximum size of the scheduled sends in bytes; a send that would exceed it gets a 403.
    package var scheduledBytes = 64_000_000
    /// The largest file or export of a job in bytes; if it is larger, the job fails.
    package var blobBytes = 32_000_000
    /// How long reading or writing a file may take before the job fails.
    package var blobTimeout: Duration = .seconds(60)
    /// The maximum number of feedback entries; older entries are dropped.
    package var feedback = 1_000
    /// The maximum number of event streams and waiting requests together; further requests get a
    /// 503.
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
