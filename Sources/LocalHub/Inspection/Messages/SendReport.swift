import Foundation

/// A send in a list; null means unknown or absent, such as the tags of a broadcast.
struct SendReport: Encodable {
    private let notification: String
    private let time: Date
    @NullWhenNil private var method: String?
    @NullWhenNil private var path: String?
    @NullWhenNil private var tags: String?
    @NullWhenNil private var platform: LocalHubPlatform?
    private let arrived: Int
    private let refused: Int
    private let outcomes: [NotificationRecord.Tally]

    init(_ record: NotificationRecord) {
        notification = record.id
        time = record.sent ?? record.enqueued
        method = record.origin?.method
        path = record.origin?.path
        tags = record.tags
        platform = record.platform
        arrived = record.arrived
        refused = record.refused
        outcomes = record.tallies
    }
}

struct SendDetails: Encodable {
    private struct Rest: Encodable {
        /// The request; null if unknown.
        @NullWhenNil var request: RequestReport?
        /// The devices whose messages the hub still has.
        let devices: [DeviceOutcome]
        let total: Int
        /// The value of `from` for the next page; null on the last page.
        @NullWhenNil var next: Int?
    }

    private let send: SendReport
    private let rest: Rest

    /// Describes a send and one page of its devices, starting at `from`.
    init(_ record: NotificationRecord, from: Int, limit: Int, in hub: HubState) {
        let messages = record.messages ?? 0..<0
        var unseen = messages.dropFirst(from)
        var devices: [DeviceOutcome] = []
        while devices.count < limit, let sequence = unseen.popFirst() {
            if let message = hub.message(sequence) { devices.append(DeviceOutcome(message)) }
        }
        send = SendReport(record)
        rest = Rest(
            request: RequestReport(record), devices: devices, total: messages.count,
            next: unseen.first.map { $0 - messages.lowerBound })
    }

    func encode(to encoder: any Encoder) throws {
        try send.encode(to: encoder)
        try rest.encode(to: encoder)
    }
}

private struct DeviceOutcome: Encodable {
    private let sequence: Int
    private let outcome: PushOutcome
    /// The reason why the push did not arrive; omitted if it did.
    private let reason: String?
    private let platform: LocalHubPlatform
    private let handle: String
    private let registration: String
    private let users: [String]

    init(_ message: Message) {
        sequence = message.kept.sequence
        outcome = message.kept.push.outcome
        reason = message.kept.push.reason
        platform = message.registration.platform
        handle = message.registration.channel.handle
        registration = message.registration.id
        users = message.users
    }
}

struct RequestReport: Encodable {
    private struct Members: Encodable {
        let method: String
        let path: String
        let headers: [String: String]
        let time: Date
        /// The tags; null for a broadcast.
        @NullWhenNil var tags: String?
        let scheduled: Bool
    }

    private let members: Members
    private let body: ShownBody

    init?(_ record: NotificationRecord) {
        guard let origin = record.origin else { return nil }
        members = Members(
            method: origin.method, path: origin.path, headers: origin.headers,
            time: record.enqueued, tags: record.tags, scheduled: record.wasScheduled)
        body = ShownBody(record.body)
    }

    func encode(to encoder: any Encoder) throws {
        try members.encode(to: encoder)
        try body.encode(to: encoder)
    }
}
