/// Runs in an order, taken a few at a time, for statements with a list of runs.
///
/// Runs without their own partitions share one, so a statement asks for many of them. Each other
/// run costs a tenth of a millisecond of planning, and locks until the transaction ends.
struct RunSteps {
    struct Run {
        let key: Int64
        let hasPartitions: Bool
    }

    /// The most runs of a step.
    private static let most = 16

    private var rest: ArraySlice<Run>

    /// In the order of use.
    init(_ runs: [Run]) {
        rest = runs[...]
    }

    /// The next runs of one partition; empty at the end.
    mutating func nextOfOnePartition() -> [Int64] {
        let few = rest.prefix { !$0.hasPartitions }.prefix(Self.most)
        let step = few.isEmpty ? rest.prefix(1) : few
        rest = rest.dropFirst(step.count)
        return step.map(\.key)
    }
}
