/// Runs in an order, taken a few at a time.
///
/// Runs without partitions of their own share one, so that a statement asks for many of them at once. Each with its own costs the
/// server about a tenth of a millisecond of planning, and locks that the transaction keeps until it ends.
struct RunSteps {
    /// One run.
    struct Run {
        let key: Int64
        let hasPartitions: Bool
    }

    /// Runs of a step that have partitions of their own, at most.
    static let most = 16
    /// Runs of a step that share a partition, at most.
    private static let mostFew = 256

    private var rest: ArraySlice<Run>

    /// - Parameter runs: in the order in which they are asked for.
    init(_ runs: [Run]) {
        rest = runs[...]
    }

    /// The next runs, for a statement that names each of those that have partitions of their own.
    ///
    /// - Returns: empty when there are no more.
    mutating func next() -> [Run] {
        var (few, many) = (0, 0)
        let step = rest.prefix { run in
            if run.hasPartitions { many += 1 } else { few += 1 }
            return many <= Self.most && few <= Self.mostFew
        }
        rest = rest.dropFirst(step.count)
        return Array(step)
    }

    /// The next runs of one partition, for a statement that has a list of them.
    ///
    /// - Returns: empty when there are no more.
    mutating func nextOfOnePartition() -> [Int64] {
        let few = rest.prefix { !$0.hasPartitions }.prefix(Self.most)
        let step = few.isEmpty ? rest.prefix(1) : few
        rest = rest.dropFirst(step.count)
        return step.map(\.key)
    }
}
