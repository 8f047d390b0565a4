/// Durations as files write them: `30s`, `15m`, `2h`, `7d` (contract, section 10).
package enum DurationText {
    private static let longest = 366 * 24 * 60 * 60

    /// Reads a duration from one second to 366 days; nil for anything else.
    ///
    /// - Parameter text: the text.
    /// - Returns: the duration.
    package static func parse(_ text: String) -> Duration? {
        let unit: Int
        switch text.last {
        case "s": unit = 1
        case "m": unit = 60
        case "h": unit = 60 * 60
        case "d": unit = 24 * 60 * 60
        default: return nil
        }
        guard let number = DecimalDigits.parse(text.dropLast()), number >= 1,
            number <= longest / unit
        else { return nil }
        return .seconds(number * unit)
    }
}
