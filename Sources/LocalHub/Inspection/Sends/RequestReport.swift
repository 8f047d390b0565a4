import Foundation

/// The request that brought a message, as JSON shows it.
struct RequestReport: Encodable {
    private enum CodingKeys: String, CodingKey {
        case method, path, headers, time, tags, scheduled, body
        case bodyBase64 = "body_base64"
    }

    private let origin: SendOrigin
    private let record: NotificationRecord

    /// Describes a request; nil when the hub does not know it.
    init?(_ record: NotificationRecord) {
        guard let origin = record.origin else { return nil }
        self.origin = origin
        self.record = record
    }

    /// The tags are null for a broadcast; the body is text when it is UTF-8, and else in base64.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(origin.method, forKey: .method)
        try container.encode(origin.path, forKey: .path)
        try container.encode(origin.headers, forKey: .headers)
        try container.encode(record.enqueued, forKey: .time)
        try container.encode(record.tags, forKey: .tags)
        try container.encode(record.wasScheduled, forKey: .scheduled)
        if let text = String(validating: record.body, as: UTF8.self) {
            try container.encode(text, forKey: .body)
        } else {
            try container.encode(Data(record.body), forKey: .bodyBase64)
        }
    }
}
