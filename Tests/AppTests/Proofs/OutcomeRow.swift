/// A row of a CSV report that contains no quotes.
struct OutcomeRow: Sendable {
    let recipient: String
    let platform: String
    let notification: String
    let outcome: String

    init(_ line: String) throws {
        let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard cells.count >= 6 else { throw Unreadable(line: line) }
        recipient = cells[2]
        platform = cells[3]
        notification = cells[4]
        outcome = cells[5]
    }

    /// A target such as `alice/apns`.
    var target: String { "\(recipient)/\(platform)" }

    /// A row that no report should have.
    struct Unreadable: Error {
        let line: String
    }
}

extension Workspace {
    /// The rows of a campaign's only report, in its order.
    func outcomeRows(of campaign: String) throws -> [OutcomeRow] {
        try reportRows(of: campaign).map(OutcomeRow.init)
    }
}
