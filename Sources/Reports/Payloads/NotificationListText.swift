package import CampaignCore
package import FoundationEssentials

/// What `hubsend payload list` prints: a table with one line per stored notification, in the order given.
package struct NotificationListText: Sendable {
    private let notifications: [NotificationOverview]
    private let now: Date
    private let style: TextStyle
    private let width: Int?

    /// - Parameters:
    ///   - notifications: what to show.
    ///   - now: the current time, by which they expire.
    ///   - style: whether the text may have colours.
    ///   - width: the terminal's columns, into which the lines are made to fit; nil: nothing is cut or left out.
    package init(
        _ notifications: [NotificationOverview], at now: Date, style: TextStyle, width: Int? = nil
    ) {
        self.width = width
        self.notifications = notifications
        self.now = now
        self.style = style
    }

    /// The table with its head, or a sentence when there are none.
    package func text() -> String {
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
