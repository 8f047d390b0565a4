import CampaignCore
import FoundationEssentials

/// Writes one JSON object with everything stored about a person, in pieces.
struct PersonExport: Sendable {
    private let user: Username
    private let now: Date

    static let end = Array("]}\n".utf8)

    init(_ user: Username, at now: Date) {
        self.user = user
        self.now = now
    }

    /// The first piece: the person and their registrations.
    func beginning(_ registrations: [DeviceRegistration]) throws -> [UInt8] {
        var bytes = Array(#"{"user":"#.utf8)
        JSONText.append(user.text, to: &bytes)
        bytes += Array(#","exported":"#.utf8)
        JSONText.append(UTCTime.text(now), to: &bytes)
        bytes += Array(#","registrations":["#.utf8)
        for (index, registration) in registrations.enumerated() {
            bytes += Array(index == 0 ? "\n".utf8 : ",\n".utf8)
            bytes += try RegistrationEntry(registration: registration).line().dropLast()
        }
        return bytes + Array(#"],"runs":["#.utf8)
    }

    /// The piece of one run; empty without rows.
    ///
    /// - Parameter payload: what was rendered for them alone, decrypted.
    func entry(
        _ run: RunRecord, _ rows: [ReportRow], payload: StoredNotification?, isFirst: Bool
    ) throws -> [UInt8] {
        guard !rows.isEmpty else { return [] }
        return try Array(isFirst ? "\n".utf8 : ",\n".utf8)
            + RunEntry(run: run, rows: rows, payload: payload).line().dropLast()
    }
}

/// A registration without its handle's digest, which would identify a device.
private struct RegistrationEntry: JSONLine {
    private enum Key: String, CodingKey {
        case id, platform, updated
    }

    let registration: DeviceRegistration

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(registration.id, forKey: .id)
        try object.encode(registration.platform?.rawValue, forKey: .platform)
        try object.encode(UTCTime.text(registration.updated), forKey: .updated)
    }
}

/// A person's deliveries in one run, and what they did.
private struct RunEntry: JSONLine {
    private enum Key: String, CodingKey {
        case run, campaign, kind, rehearsal, started, notification, fetched, read, revoked, payload
        case deliveries
    }

    let run: RunRecord
    let rows: [ReportRow]
    let payload: StoredNotification?

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(run.id.text, forKey: .run)
        try object.encode(run.campaign, forKey: .campaign)
        try object.encode(run.kind, forKey: .kind)
        try object.encode(run.isRehearsal, forKey: .rehearsal)
        try object.encode(UTCTime.text(run.started), forKey: .started)
        // The same on each of the person's rows.
        let row = rows.first
        try object.encode(row?.notification.text, forKey: .notification)
        try object.encode(row?.fetchedAt.map(UTCTime.text), forKey: .fetched)
        try object.encode(row?.readAt.map(UTCTime.text), forKey: .read)
        try object.encode(row?.revokedAt.map(UTCTime.text), forKey: .revoked)
        try object.encode(payload.map(PayloadEntry.init), forKey: .payload)
        try object.encode(rows.map(DeliveryEntry.init), forKey: .deliveries)
    }
}

private struct DeliveryEntry: Encodable {
    private enum Key: String, CodingKey {
        case platform, outcome, detail, attempts
        case hubMessage = "hub_message"
        case recordedAt = "recorded_at"
    }

    let row: ReportRow

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(row.platform.rawValue, forKey: .platform)
        try object.encode(row.outcome.rawValue, forKey: .outcome)
        try object.encode(row.explanation, forKey: .detail)
        try object.encode(row.attempts, forKey: .attempts)
        try object.encode(row.hubMessage.map { HubText.cleaned($0) }, forKey: .hubMessage)
        try object.encode(row.recordedAt.map(UTCTime.text), forKey: .recordedAt)
    }
}

private struct PayloadEntry: Encodable {
    private enum Key: String, CodingKey {
        case language, title, type, message, link, data, text, content
        case mediaType = "media_type"
    }

    let notification: StoredNotification

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encodeIfPresent(notification.language?.text, forKey: .language)
        try object.encodeIfPresent(notification.title, forKey: .title)
        try object.encodeIfPresent(notification.type, forKey: .type)
        try object.encodeIfPresent(notification.message, forKey: .message)
        try object.encodeIfPresent(notification.link, forKey: .link)
        if !notification.data.isEmpty { try object.encode(notification.data, forKey: .data) }
        try object.encodeIfPresent(notification.mediaType, forKey: .mediaType)
        if let text = notification.text(notification.mediaType) {
            try object.encode(text, forKey: .text)
        } else if let bytes = notification.bytes {
            try object.encode(Data(bytes).base64EncodedString(), forKey: .content)
        }
    }
}
