import CampaignCore
import FoundationEssentials

/// The table of `hubsend payload list`, in the order given.
struct NotificationListText: Sendable {
    private let notifications: [NotificationOverview]
    private let now: Date
    private let style: TextStyle
    private let width: Int?

    /// - Parameter width: nil: nothing is cut or left out.
    init(
        _ notifications: [NotificationOverview], at now: Date, style: TextStyle, width: Int? = nil
    ) {
        self.width = width
        self.notifications = notifications
        self.now = now
        self.style = style
    }

    func text() -> String {
        guard !notifications.isEmpty else { return "No payloads.\n" }
        var table = TextTable([
            .left, .left.cut(to: 10), .left.leftOut(2), .left.leftOut(0), .right.leftOut(1),
            .left.cut(to: 10), .left, .right, .right.leftOut(4), .left.leftOut(3),
        ])
        table.append([
            "ID", "CAMPAIGN", "KIND", "TYPE", "BYTES", "FOR", "STATE", "FETCHED", "READ", "EXPIRES",
        ])
        for notification in notifications { table.append(cells(notification)) }
        var lines = table.lines(within: width)
        for (index, notification) in notifications.enumerated() {
            lines[index + 1] = style.apply(
                state(notification) == .revoked ? .yellow : nil, to: lines[index + 1])
        }
        lines[0] = style.apply(.bold, to: lines[0])
        return lines.joined(separator: "\n") + "\n"
    }

    private func state(_ notification: NotificationOverview) -> PayloadState {
        PayloadState(notification, at: now)
    }

    private func cells(_ notification: NotificationOverview) -> [String] {
        [
            notification.id.text, notification.campaign, notification.kind.rawValue,
            notification.mediaType ?? "", notification.byteCount.map(Figures.count) ?? "",
            notification.recipient?.text
                ?? Figures.count(notification.recipients, "person", "people"),
            state(notification).rawValue, Figures.count(notification.fetched),
            Figures.count(notification.read), UTCTime.readable(notification.expires),
        ]
    }
}
