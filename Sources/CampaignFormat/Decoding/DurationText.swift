/// Durations as files write them: `30s`, `15m`, `2h`, `7d`.
package enum DurationText {
    static let longestSeconds = 366 * 24 * 60 * 60
    /// 366 days.
    static let longest = Duration.seconds(longestSeconds)

    /// Reads a duration from one second to 366 days; nil for anything else.
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
            number <= longestSeconds / unit
        else { return nil }
        return .seconds(number * unit)
    }

    /// In whole seconds and the largest unit that fits, such as `10m`.
    static func text(of duration: Duration) -> String {
        let seconds = duration.components.seconds
        let units: [(name: String, seconds: Int64)] = [("d", 86_400), ("h", 3_600), ("m", 60)]
        let unit = units.first { seconds % $0.seconds == 0 } ?? ("s", 1)
        return "\(seconds / unit.seconds)\(unit.name)"
    }
}

/// Whole days, such as `400d`.
enum DaysText {
    /// Ten years.
    static let most = 3_660

    /// Reads 1d to 3660d; nil for anything else.
    static func parse(_ text: String) -> Duration? {
        guard text.last == "d", let number = DecimalDigits.parse(text.dropLast()),
            (1...most).contains(number)
        else { return nil }
        return .seconds(number * 24 * 60 * 60)
    }
}

/// Rates as campaigns write them: `500/s`, or `unlimited`.
enum RateText {
    static let highest = 1_000_000

    /// Requests a second, 1 to 1,000,000; the inner nil is `unlimited`.
    static func parse(_ text: String) -> Double?? {
        if text == "unlimited" { return .some(nil) }
        guard text.hasSuffix("/s"), let number = DecimalDigits.parse(text.dropLast(2)),
            (1...highest).contains(number)
        else { return nil }
        return .some(Double(number))
    }
}

/// Whole numbers written with ASCII digits only; `Int.init` takes signs too.
package enum DecimalDigits {
    /// At most 15 digits after leading zeros.
    package static func parse(_ text: some StringProtocol) -> Int? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            text.utf8.drop(while: { $0 == UInt8(ascii: "0") }).count <= 15
        else { return nil }
        return Int(text)
    }
}
