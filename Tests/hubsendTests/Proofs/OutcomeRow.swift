/// A row of a CSV report, as far as it has no quotes.
struct OutcomeRow: Sendable {
    let recipient: String
    let platform: String
    let notification: String
    let outcome: String

    /// Reads a row.
    ///
    /// - Parameter line: its text.
    /// - Throws: ``Unreadable`` when columns are missing.
    init(_ line: String) throws {
        let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard cells.count >= 6 else { throw Unreadable(line: line) }
        recipient = cells[2]
        platform = cells[3]
        notification = cells[4]
        outcome = cells[5]
    }

    /// Who it is about, such as `alice/apns`.
    var target: String { "\(recipient)/\(platform)" }

    /// A row that no report should have.
    struct Unreadable: Error {
        let line: String
    }
}

extension Workspace {
    /// The rows of the only report of a campaign.
    ///
    /// - Parameter campaign: its name.
    /// - Returns: the rows in the report's order.
    /// - Throws: when there is not exactly one report, or it cannot be read.
    func outcomeRows(of campaign: String) throws -> [OutcomeRow] {
        try reportRows(of: campaign).map(OutcomeRow.init)
    }
}
