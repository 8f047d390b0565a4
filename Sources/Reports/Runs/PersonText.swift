package import CampaignCore

/// What `hubsend report --user` prints for people: a table with one line per delivery, newest run first.
package struct PersonText: Sendable {
    private let user: Username
    private let style: TextStyle
    private var table = TextTable(Array(repeating: .left, count: 8))
    private var isEmpty = true
    private var left = 0

    package init(_ user: Username, style: TextStyle) {
        self.user = user
        self.style = style
        table.append([
            "SENT", "CAMPAIGN", "PLATFORM", "OUTCOME", "FETCHED", "READ", "REVOKED", "RUN",
        ])
    }

    /// Adds a run's deliveries to this person.
    package mutating func append(_ rows: [ReportRow], of run: RunRecord) {
        for row in rows {
            isEmpty = false
            table.append([
                row.recordedAt.map(UTCTime.readable) ?? "",
                run.campaign + RunHeadline.remark(on: run),
                row.platform.rawValue, row.outcome.rawValue,
                row.fetchedAt.map(UTCTime.readable) ?? "",
                row.readAt.map(UTCTime.readable) ?? "",
                row.revokedAt.map(UTCTime.readable) ?? "", run.id.text,
            ])
        }
    }

    /// Leaves out a run of which nobody knows any more whom it went to.
    package mutating func leaveRunOut() {
        left += 1
    }

    /// The table with its head, or a sentence when nothing was ever sent; and how many runs were left out.
    package func text() -> String {
        guard left > 0 else { return known }
        let runs = Figures.count(left, "older run is", "older runs are")
        return known
            + "\(runs) left out: whom they went to was deleted, as the config's `retention` says.\n"
    }

    private var known: String {
        guard !isEmpty else { return "No run of this store was for \(user).\n" }
        var lines = table.lines()
        lines[0] = style.apply(.bold, to: lines[0])
        return lines.joined(separator: "\n") + "\n"
    }
}
