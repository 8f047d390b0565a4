import CampaignCore

/// The table of `hubsend report --user`, newest run first.
struct PersonText: Sendable {
    /// Begins the sentence about a person who was sent nothing.
    static let nothing = "No run of this store was for "
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

    /// - Parameter width: nil: nothing is cut or left out.
    init(_ user: Username, style: TextStyle, width: Int? = nil) {
        self.user = user
        self.width = width
        self.style = style
        table.append([
            "SENT", "CAMPAIGN", "PLATFORM", "OUTCOME", "FETCHED", "READ", "REVOKED", "RUN",
        ])
    }

    mutating func append(_ rows: [ReportRow], of run: RunRecord) {
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

    /// Counts a run whose people were deleted.
    mutating func leaveRunOut() {
        left += 1
    }

    func text() -> String {
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
