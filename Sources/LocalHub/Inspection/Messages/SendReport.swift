import Foundation

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

/// A request that sent, with what became of it at each device, as JSON shows it.
struct SendDetails: Encodable {
    private enum CodingKeys: CodingKey {
        case request, devices, total, next
    }

    private let record: NotificationRecord
    private let devices: [DeviceOutcome]
    private let total: Int
    private let next: Int?

    /// Describes a send and a page of its devices, looking at a slice of them at a time.
    ///
    /// - Parameters:
    ///   - record: what is known of the send.
    ///   - from: how many of its devices stand before the page.
    ///   - limit: the most devices of the page, at least 1.
    ///   - hub: the hub.
    init(_ record: NotificationRecord, from: Int, limit: Int, in hub: HubStore) {
        self.record = record
        let messages = record.messages ?? 0..<0
        var rest = messages.dropFirst(from)
        var devices: [DeviceOutcome] = []
        var budget = LookBudget()
        while !rest.isEmpty, devices.count < limit {
            budget.begin()
            hub.update { state in
                while devices.count < limit, !budget.isSpent, let sequence = rest.popFirst() {
                    budget.spend()
                    // Those that were cleared or let go are not there any more.
                    guard let message = state.message(sequence) else { continue }
                    devices.append(DeviceOutcome(message))
                }
            }
        }
        self.devices = devices
        total = messages.count
        next = rest.first.map { $0 - messages.lowerBound }
    }

    /// The members of the send in a list; the request, which is null when it is not known; the devices whose messages are
    /// kept, how many there were in all, and where the next page begins, null at the end.
    func encode(to encoder: any Encoder) throws {
        try SendReport(record).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(RequestReport(record), forKey: .request)
        try container.encode(devices, forKey: .devices)
        try container.encode(total, forKey: .total)
        try container.encode(next, forKey: .next)
    }
}

/// What became of a send at one device, as JSON shows it.
private struct DeviceOutcome: Encodable {
    private enum CodingKeys: CodingKey {
        case sequence, outcome, reason, platform, handle, registration, users
    }

    private let message: Message

    /// Describes a message of the send.
    init(_ message: Message) {
        self.message = message
    }

    /// The reason is left out when it arrived.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let push = message.entry.push
        try container.encode(message.entry.sequence, forKey: .sequence)
        try container.encode(push.outcome, forKey: .outcome)
        try container.encodeIfPresent(push.reason, forKey: .reason)
        try container.encode(message.registration.platform, forKey: .platform)
        try container.encode(message.registration.channel.handle, forKey: .handle)
        try container.encode(message.registration.id, forKey: .registration)
        try container.encode(message.users, forKey: .users)
    }
}

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
