import struct Foundation.Date

/// One installation as the hub keeps it (reference, section 7).
struct Installation: Sendable, Hashable, Codable {
    /// The id, unique in the hub.
    var id: String
    /// The push service.
    var platform: LocalHubPlatform
    /// Where the push service reaches the device.
    var channel: PushChannel
    /// The plain tags, in the order given, without repeats.
    var tags: [String]
    /// The user id that `$UserId:{…}` finds.
    var userID: String?
    /// When it ends; nil: never.
    var expiration: Date?

    /// The tags by which sends find it.
    var allTags: [String] {
        tags + [TagTerm.installation(id).text] + (userID.map { [TagTerm.user($0).text] } ?? [])
    }
}
