import CampaignCore
import FoundationEssentials

/// Writes a JSON object with everything that is stored about a person, in pieces.
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
            bytes += try Self.registration(registration).line().dropLast()
        }
        return bytes + Array(#"],"runs":["#.utf8)
    }

    /// The piece of one run, with the decrypted payload rendered only for this person; empty if
    /// there are no rows.
    func entry(
        _ run: RunRecord, _ rows: [ReportRow], payload: StoredNotification?, isFirst: Bool
    ) throws -> [UInt8] {
        guard !rows.isEmpty else { return [] }
        return try Array(isFirst ? "\n".utf8 : ",\n".utf8)
            + Self.entry(run, rows, payload).line().dropLast()
    }
}

extension PersonExport {
    /// Omits the digest of the handle, which would identify a device.
    private static func registration(_ registration: DeviceRegistration) -> JSONObject {
        [
            "id": registration.id, "platform": registration.platform?.rawValue,
            "updated": UTCTime.text(registration.updated),
        ]
    }

    /// A person's deliveries in one run, and when the person fetched and read them.
    private static func entry(
        _ run: RunRecord, _ rows: [ReportRow], _ payload: StoredNotification?
    ) -> JSONObject {
        // Facts that are equal in all of the person's rows.
        let row = rows.first
        return [
            "run": run.id.text, "campaign": run.campaign, "kind": run.kind,
            "rehearsal": run.isRehearsal, "started": UTCTime.text(run.started),
            "notification": row?.notification.text, "fetched": row?.fetchedAt.map(UTCTime.text),
            "read": row?.readAt.map(UTCTime.text), "revoked": row?.revokedAt.map(UTCTime.text),
            "payload": payload.map(content), "deliveries": rows.map(delivery),
        ]
    }

    private static func delivery(_ row: ReportRow) -> JSONObject {
        [
            "platform": row.platform.rawValue, "outcome": row.outcome.rawValue,
            "detail": row.explanation, "attempts": row.attempts,
            "hub_message": row.hubMessage.map { HubText.cleaned($0) },
            "recorded_at": row.recordedAt.map(UTCTime.text),
        ]
    }

    private static func content(_ notification: StoredNotification) -> JSONObject {
        let text = notification.text(notification.mediaType)
        let object: JSONObject = [
            "language": notification.language?.text, "type": notification.type,
            "link": notification.link,
            "data": notification.data.isEmpty ? nil : notification.data,
            "media_type": notification.mediaType, "text": text,
            "content": text == nil
                ? notification.bytes.map { Data($0).base64EncodedString() } : nil,
        ]
        return (object + JSONObject(notification.texts)).withoutNulls
    }
}
