/// Goes through recipients by number, in steps that grow as long as little is found.
///
/// Each statement names the bounds of its step, so that the server reads no more rows than the step has, whatever its statistics
/// say: those of a table that fills while it is read are always of another time.
enum NumberSteps {
    /// No step has more recipients.
    private static let widest = 10_000

    /// Collects what is found, in order, until there is enough.
    ///
    /// - Parameters:
    ///   - numbers: behind the lower bound, up to and with the upper one.
    ///   - limit: how many are enough.
    ///   - read: reads one step, of which the bounds mean the same, and returns so many at the most.
    static func collect<Element>(
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
