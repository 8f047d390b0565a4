package import CampaignCore

/// What `hubsend report --user` prints for people: a table with one line per delivery, newest run first.
package struct PersonText: Sendable {
    /// The start of the sentence about a person who was never sent anything.
    static let nothing = "No run of this store was for "
    /// The end of the line about runs that were left out.
    static let retention =
        " left out: whom they went to was deleted, as the config's `retention` says."

    private let user: Username
    private let style: TextStyle
    private let width: Int?
    private var table = TextTable([
        .left, .left.cut(to: 10, wanted: 14), .left, .left, .left, .left.leftOut(1),
        .left.leftOut(0), .left.leftOut(2),
    ])
    private var isEmpty = true
    private var left = 0

    /// - Parameters:
    ///   - user: the person.
    ///   - style: whether the text may have colours.
    ///   - width: the terminal's columns, into which the lines are made to fit; nil: nothing is cut or left out.
    package init(_ user: Username, style: TextStyle, width: Int? = nil) {
        self.user = user
        self.width = width
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
            + "\(runs)\(Self.retention)\n"
    }

    private var known: String {
        guard !isEmpty else { return "\(Self.nothing)\(user).\n" }
        var lines = table.lines(within: width)
        lines[0] = style.apply(.bold, to: lines[0])
        return lines.joined(separator: "\n") + "\n"
    }
}
