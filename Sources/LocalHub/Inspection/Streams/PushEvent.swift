import Foundation

/// A push with the device that it was for, as a server-sent event tells of it.
struct PushEvent: Encodable {
    private enum CodingKeys: CodingKey {
        case registration, installation, platform, handle
    }

    /// The registration that leads to the device.
    let registration: Registration
    /// The push.
    let entry: Mailbox.Entry

    /// The members of the push, and beside them those that name the device.
    func encode(to encoder: any Encoder) throws {
        try PushReport(entry).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(registration.id, forKey: .registration)
        try container.encodeIfPresent(registration.installationID, forKey: .installation)
        try container.encode(registration.platform, forKey: .platform)
        try container.encode(registration.channel.handle, forKey: .handle)
    }

    /// The event as it goes out.
    ///
    /// - Throws: when the push cannot be written as JSON.
    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(self), as: UTF8.self)
        // JSON escapes line breaks within texts, so it is one line.
        return "id: \(entry.sequence)\nevent: push\ndata: \(json)\n\n"
    }
}
