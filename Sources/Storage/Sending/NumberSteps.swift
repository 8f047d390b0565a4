/// Goes through recipients by number, in steps that grow while little is found.
///
/// Each statement names its bounds, so that a server reads no more rows, whatever its outdated
/// statistics say.
package enum NumberSteps {
    private static let widest = 10_000

    /// Collects in order until there is enough; `read` returns at most the limit of one step.
    package static func collect<Element>(
        _ numbers: Range<Int>, limit: Int,
        _ read: (_ step: Range<Int>, _ limit: Int) throws -> [Element]
    ) rethrows -> [Element] {
        var found: [Element] = []
        var (before, width) = (numbers.lowerBound, limit)
        while before < numbers.upperBound, found.count < limit {
            let step = before..<(before + min(width, numbers.upperBound - before))
            found += try read(step, limit - found.count)
            before = step.upperBound
            width = max(limit, min(4 * width, widest))
        }
        return found
    }
}
