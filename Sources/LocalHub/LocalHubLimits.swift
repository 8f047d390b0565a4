import HTTPServing

/// How much the hub accepts and keeps, and how long it waits.
package struct LocalHubLimits: Sendable {
    /// The largest request body in bytes; beyond it the answer is 413.
    package var bodyBytes = 65_536
    /// The largest body of a batch send in bytes, for requests with a good key.
    ///
    /// 1,000 handles of 4 KB, longer than any push service's, and their notification.
    package var batchBytes = 4_300_000
    /// The largest header block in bytes; beyond it the answer is 400, and over HTTP/2 beyond 16,384
    /// bytes the end of the connection.
    package var headerBytes = 32_768
    /// The most headers of a request; beyond it the answer is 400.
    package var headers = 100
    /// The most connections to each port; further ones wait to be accepted.
    package var connections = 2_048
    /// How long the TLS handshake may take before the connection is closed.
    package var handshakeTimeout: Duration = .seconds(10)
    /// How long a connection may rest between requests, or within one, before it is closed.
    package var idleTimeout: Duration = .seconds(120)
    /// How long a request body may take from its first byte on before the connection is closed.
    package var bodyTimeout: Duration = .seconds(30)
    /// How long requests may go on after a shutdown began.
    package var shutdownGrace: Duration = .seconds(5)
    /// How long after its expiry a token is still accepted.
    package var clockSkew: Duration = .seconds(300)
    /// The most hubs of the namespace; beyond it one is refused with 403.
    package var hubs = 100
    /// The most devices of a hub, those that only direct sends name included; beyond it an installation, a
    /// registration or a direct send to a further one is refused with 403.
    package var devices = 20_000
    /// The most registrations of a hub, each template of an installation counted; beyond it one is refused with 403.
    package var registrations = 40_000
    /// The pushes that each device keeps: the newest.
    package var pushesPerDevice = 1_000
    /// The pushes that the hub keeps over all devices: the newest.
    package var pushesInAll = 50_000
    /// What the payloads of these pushes may take together, in bytes; the oldest go first.
    package var pushBytes = 256_000_000
    /// The notifications that telemetry knows: the newest.
    package var notifications = 50_000
    /// What these notifications may take together, in bytes; the oldest go first.
    package var notificationBytes = 64_000_000
    /// The most sends that wait for their time; beyond it one is refused with 403.
    package var scheduledSends = 10_000
    /// What these sends may take together, in bytes; beyond it one is refused with 403.
    package var scheduledBytes = 64_000_000
    /// The largest file that a job reads, and the largest export, in bytes; beyond it the job fails.
    package var blobBytes = 32_000_000
    /// How long reading or writing a job's file may take before the job fails.
    package var blobTimeout: Duration = .seconds(60)
    /// The feedback of push services that the hub keeps: the newest.
    package var feedback = 1_000
    /// The most event streams, about devices and about changes, and waits for a message at a time, all
    /// together; beyond it one is refused with 503.
    package var eventStreams = 64

    /// The usual limits.
    package init() {}

    /// Those of the server.
    var http: HTTPServerLimits {
        var limits = HTTPServerLimits(
            headerBytes: headerBytes, headers: headers, idleTimeout: idleTimeout,
            bodyTimeout: bodyTimeout, stallTimeout: idleTimeout, shutdownGrace: shutdownGrace)
        limits.handshakeTimeout = handshakeTimeout
        return limits
    }

    /// The name of a limit that is below 1 and cannot work.
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
