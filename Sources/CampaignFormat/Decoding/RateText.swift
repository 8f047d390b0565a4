/// Rates as campaigns write them: `500/s`, or `unlimited`.
enum RateText {
    private static let highest = 1_000_000

    /// Reads a rate.
    ///
    /// - Returns: nil for what is no rate; in it, nil for no limit, else requests a second, 1 to 1,000,000.
    static func parse(_ text: String) -> Double?? {
        if text == "unlimited" { return .some(nil) }
        guard text.hasSuffix("/s"), let number = DecimalDigits.parse(text.dropLast(2)),
            (1...highest).contains(number)
        else { return nil }
        return .some(Double(number))
    }
}
