/// What a state file holds, in version 1: everything about the hubs that clients put there.
///
/// Mailboxes, telemetry and feedback are not kept.
struct SavedState: Codable, Equatable {
    /// What tells a state file from any other JSON.
    static let format = "hubsend local hub state"
    /// The version that this code writes, and the newest that it reads.
    static let version = 1

    /// The format and version of a file, read before the rest.
    struct Head: Codable, Equatable {
        /// Always ``SavedState/format``.
        let format: String
        /// The version of the rest, from 1.
        let version: Int
    }

    /// One hub.
    struct Hub: Codable, Equatable {
        /// Its name as it was created.
        let name: String
        /// What its creator said about it.
        let description: HubDescription
        /// The registrations in the order of their places, also those that installations stand for.
        let registrations: [Registration]
        /// The installations by id.
        let installations: [String: Installation]
        /// The sends that wait, in the order in which they are due.
        let scheduled: [ScheduledSend]
    }

    /// What the file is.
    var head = Head(format: SavedState.format, version: SavedState.version)
    /// The hubs in the order of their names.
    var hubs: [Hub]
}
