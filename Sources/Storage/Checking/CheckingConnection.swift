/// What databases do differently to find damage.
package protocol CheckingConnection {
    /// Tables of runs that the other stores do not have.
    var furtherTables: [String] { get }
    /// Rows without a recipient, platform or process of their run: tables with an SQL condition;
    /// `?1` is the run.
    var furtherStrangers: [(table: String, condition: String)] { get }

    /// Rows that refer to a missing row of a table in the schema.
    func brokenReferences() throws -> [StoreFault]
    /// Whether a staged run's people, payloads and outcomes are those that were written.
    ///
    /// - Parameters:
    ///   - recipients: how many there are.
    ///   - isThorough: also reads what is expensive.
    func isWhole(_ run: StoredRun, recipients: Int, isThorough: Bool) throws -> Bool
    /// Whether somebody who may still be sent to has no payload.
    func isPayloadLost(of run: StoredRun) throws -> Bool
}

extension CheckingConnection {
    package var furtherTables: [String] { [] }
    package var furtherStrangers: [(table: String, condition: String)] { [] }

    package func brokenReferences() throws -> [StoreFault] { [] }
    package func isPayloadLost(of run: StoredRun) throws -> Bool { false }
}
