/// Goes through recipients by number, in steps that grow while few are found.
///
/// Each statement has bounds, so that a server with outdated statistics does not read more rows.
package enum NumberSteps {
    private static let widest = 10_000

    /// Collects elements in order until there are enough; `read` returns no more than the limit of
    /// one step.
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
