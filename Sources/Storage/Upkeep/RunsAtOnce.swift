/// Runs in groups of those that are looked at in one transaction.
///
/// A server locks the tables of each until the transaction ends.
enum RunsAtOnce {
    private static let most = 16

    static func all(_ runs: [Int64]) -> [[Int64]] {
        stride(from: 0, to: runs.count, by: most).map { Array(runs[$0...].prefix(most)) }
    }
}
