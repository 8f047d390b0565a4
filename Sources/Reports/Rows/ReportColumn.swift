/// What a report says about each delivery, in the order of the columns.
///
/// Scripts rely on the names; columns are only ever added, at the end.
package enum ReportColumn: String, CaseIterable, Hashable, Sendable {
    case run
    case campaign
    case recipient
    case platform
    case notification
    case outcome
    case detail
    case hubMessage = "hub_message"
    case attempts
    case recordedAt = "recorded_at"
    /// What the push service reported; nothing asks it yet.
    case pns
    /// When the recipient first fetched the payload, on whichever device.
    case fetchedAt = "fetched_at"
    /// When the recipient first read it.
    case readAt = "read_at"
}
