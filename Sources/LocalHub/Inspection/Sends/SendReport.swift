import struct Foundation.Date

/// A request that sent, as JSON shows it in a list.
struct SendReport: Encodable {
    private enum CodingKeys: CodingKey {
        case notification, time, method, path, tags, platform, arrived, refused, outcomes
    }

    private let record: NotificationRecord

    /// Describes what the hub knows of a send.
    init(_ record: NotificationRecord) {
        self.record = record
    }

    /// What is not known, or not there, is null: the request of a send out of an old state file, the tags of a
    /// broadcast, the platform of a template send.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(record.id, forKey: .notification)
        try container.encode(record.sent ?? record.enqueued, forKey: .time)
        try container.encode(record.origin?.method, forKey: .method)
        try container.encode(record.origin?.path, forKey: .path)
        try container.encode(record.tags, forKey: .tags)
        try container.encode(record.platform, forKey: .platform)
        try container.encode(record.arrived, forKey: .arrived)
        try container.encode(record.refused, forKey: .refused)
        try container.encode(record.tallies, forKey: .outcomes)
    }
}
