/// Shares as files write them: `5%`, `0.5%`.
enum ShareText {
    /// Reads a share over 0 % and up to 100 %, with at most three digits behind the point; nil for anything
    /// else.
    static func parse(_ text: String) -> Double? {
        guard text.hasSuffix("%") else { return nil }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = DecimalDigits.parse(parts[0]) else {
            return nil
        }
        var share = Double(whole)
        if parts.count == 2 {
            guard parts[1].count <= 3, let fraction = DecimalDigits.parse(parts[1]) else {
                return nil
            }
            share += (0..<parts[1].count).reduce(Double(fraction)) { value, _ in value / 10 }
        }
        return share > 0 && share <= 100 ? share / 100 : nil
    }
}
