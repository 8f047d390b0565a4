import CampaignCore
import FoundationEssentials

/// The columns of a report whose values differ from row to row, in order.
///
/// Scripts rely on the names; new columns are added at the end.
enum ReportColumn: String, CaseIterable, Hashable, Sendable {
    case recipient, platform, notification, outcome, detail
    case hubMessage = "hub_message"
    case attempts
    case recordedAt = "recorded_at"
    /// What the push service did with the message, from `report --telemetry`.
    case pns
    /// When the payload was first fetched, on any device.
    case fetchedAt = "fetched_at"
    /// When the payload was first read.
    case readAt = "read_at"

    enum Value {
        /// A value that is never missing and is written the same way in every format.
        case plain(String)
        /// A value that is never missing.
        case word(String)
        /// Text that is treated as missing if it is empty.
        case text(String)
        case number(Int)
        case time(Date?)
    }

    /// The names of all columns; the values of the first two are the same in every row of a run.
    static let names = ["run", "campaign"] + allCases.map(\.rawValue)
    /// The number of columns that the first version of hubsend wrote.
    static let fewest = 13

    /// The columns of the rows on a page, with their headings; the script finds them by name.
    static let onPage: [(column: ReportColumn, head: String)] = [
        (.recipient, "recipient"), (.platform, "platform"), (.outcome, "outcome"),
        (.detail, "detail"), (.attempts, "attempts"), (.recordedAt, "recorded"),
        (.fetchedAt, "fetched"), (.readAt, "read"), (.hubMessage, "hub message"),
        (.notification, "payload"),
    ]

    func value(of row: ReportRow) -> Value {
        switch self {
        case .recipient: .word(row.recipient.text)
        case .platform: .plain(row.platform.rawValue)
        case .notification: .plain(row.notification.text)
        case .outcome: .plain(row.outcome.rawValue)
        case .detail: .text(row.explanation)
        case .hubMessage: .text(row.hubMessage.map { HubText.cleaned($0) } ?? "")
        case .attempts: .number(row.attempts)
        case .recordedAt: .time(row.recordedAt)
        case .pns: .text(row.pushServices.map { HubText.cleaned($0) } ?? "")
        case .fetchedAt: .time(row.fetchedAt)
        case .readAt: .time(row.readAt)
        }
    }
}

extension ReportRow {
    /// The status and the reason, and whether the payload was revoked, on one line.
    var explanation: String {
        let said = HubText.cleaned(detail)
        guard let revokedAt else { return said }
        let revoked = "payload revoked \(UTCTime.text(revokedAt))"
        return said.isEmpty ? revoked : "\(said); \(revoked)"
    }
}
