import struct Foundation.Date

/// The request that brought a message, as JSON shows it.
struct RequestReport: Encodable {
    /// What the hub answers to every send that it takes.
    ///
    /// A send that it refuses brings no message. A fault that took the answer away left the client without it.
    private static let answer = 201

    private enum CodingKeys: CodingKey {
        case method, path, headers, time, tags, scheduled, status
    }

    private let origin: SendOrigin
    private let record: NotificationRecord

    /// Describes a request; nil when the hub does not know it.
    init?(_ record: NotificationRecord) {
        guard let origin = record.origin else { return nil }
        self.origin = origin
        self.record = record
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(origin.method, forKey: .method)
        try container.encode(origin.path, forKey: .path)
        try container.encode(origin.headers, forKey: .headers)
        try container.encode(record.enqueued, forKey: .time)
        try container.encode(record.tags, forKey: .tags)
        try container.encode(record.wasScheduled, forKey: .scheduled)
        try container.encode(Self.answer, forKey: .status)
    }
}
