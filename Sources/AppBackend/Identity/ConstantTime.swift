/// Comparing secrets without telling by its time where they differ.
enum ConstantTime {
    /// Whether two texts are the same; only their lengths may be told.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (left, right) in zip(left, right) { difference |= left ^ right }
        return difference == 0
    }
}
