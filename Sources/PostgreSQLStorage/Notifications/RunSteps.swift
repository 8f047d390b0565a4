/// Runs in an order, taken a few at a time.
///
/// Runs without their own partitions share one, so a statement asks for many of them. Each other
/// run costs a tenth of a millisecond of planning, and locks until the transaction ends.
struct RunSteps {
    struct Run {
        let key: Int64
        let hasPartitions: Bool
    }

    /// The most runs of a step that have their own partitions.
    static let most = 16
    /// The most runs of a step that share a partition.
    private static let mostFew = 256

    private var rest: ArraySlice<Run>

    /// In the order of use.
    init(_ runs: [Run]) {
        rest = runs[...]
    }

    /// The next runs, for a statement that names each with partitions; empty at the end.
    mutating func next() -> [Run] {
        var (few, many) = (0, 0)
        let step = rest.prefix { run in
            if run.hasPartitions { many += 1 } else { few += 1 }
            return many <= Self.most && few <= Self.mostFew
        }
        rest = rest.dropFirst(step.count)
        return Array(step)
    }

    /// The next runs of one partition, for a statement with a list; empty at the end.
    mutating func nextOfOnePartition() -> [Int64] {
        let few = rest.prefix { !$0.hasPartitions }.prefix(Self.most)
        let step = few.isEmpty ? rest.prefix(1) : few
        rest = rest.dropFirst(step.count)
        return step.map(\.key)
    }
}
