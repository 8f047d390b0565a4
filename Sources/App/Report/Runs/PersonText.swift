import CampaignCore

/// The table of `hubsend report --user`, newest run first.
struct PersonText {
    /// The beginning of the sentence about a person who was in no run.
    static let nothing = "No run in this store included "
    static let retention =
        " not listed: the recipients were deleted, as `retention` in the config says."

    private let user: Username
    private var table = Document.Table(
        columns: [
            .init(head: "SENT"), .init(head: "CAMPAIGN", text: .left.cut(to: 10, wanted: 14)),
            .init(head: "PLATFORM"), .init(head: "OUTCOME"), .init(head: "FETCHED"),
            .init(head: "READ", text: .left.leftOut(1)),
            .init(head: "REVOKED", text: .left.leftOut(0)),
            .init(head: "RUN", text: .left.leftOut(2)),
        ], isList: true)
    private var left = 0

    init(_ user: Username) {
        self.user = user
    }

    mutating func append(_ rows: [ReportRow], of run: RunRecord) {
        for row in rows {
            table.append(words: [
                row.recordedAt.map(UTCTime.readable) ?? "",
                run.campaign + RunHeadline.remark(on: run),
                row.platform.rawValue, row.outcome.rawValue,
                row.fetchedAt.map(UTCTime.readable) ?? "",
                row.readAt.map(UTCTime.readable) ?? "",
                row.revokedAt.map(UTCTime.readable) ?? "", run.id.text,
            ])
        }
    }

    /// Adds to the number of runs whose people were deleted.
    mutating func leaveRunOut() {
        left += 1
    }

    func document() -> Document {
        let known: Document.Block =
            table.rows.isEmpty ? .paragraph("\(Self.nothing)\(user.text).") : .table(table)
        guard left > 0 else { return Document(blocks: [known]) }
        let runs = Figures.count(left, "older run is", "older runs are")
        return Document(blocks: [.group([known, .paragraph("\(runs)\(Self.retention)")])])
    }
}
