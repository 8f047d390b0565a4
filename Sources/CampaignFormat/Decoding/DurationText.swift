import CampaignCore

/// Durations as written in files: `30s`, `15m`, `2h`, `7d`.
package struct DurationText: Sendable {
    /// Durations from one second to 366 days.
    package static let usual = DurationText(units: ["s", "m", "h", "d"], longest: 366 * 86_400)
    /// Whole days, up to ten years.
    static let days = DurationText(units: ["d"], longest: 3_660 * 86_400)
    /// Durations from a millisecond to ten minutes.
    static let latency = DurationText(units: ["ms", "s", "m"], longest: 600)

    /// The units, each with the largest number allowed.
    let units: [(name: String, most: Int)]
    private let longestSeconds: Int

    private init(units: [String], longest seconds: Int) {
        longestSeconds = seconds
        self.units = units.compactMap { name in
            Durations.units.first { $0.name == name }.map {
                (name, seconds * 1_000 / $0.milliseconds)
            }
        }
    }

    var longest: Duration { .seconds(longestSeconds) }

    /// nil unless the text is a number of at least 1 with a unit.
    package func parse(_ text: String) -> Duration? {
        for unit in units where text.hasSuffix(unit.name) {
            guard let number = DecimalDigits.parse(text.dropLast(unit.name.count)),
                1...unit.most ~= number
            else { continue }
            return longest * number / unit.most
        }
        return nil
    }
}

/// Rates as written in campaigns: `500/s`, or `unlimited`.
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

/// Whole numbers written with only ASCII digits; `Int.init` also accepts signs.
package enum DecimalDigits {
    /// Reads a number of at most 15 digits after leading zeros.
    package static func parse(_ text: some StringProtocol) -> Int? {
        guard text.utf8.allSatisfy(\.isDigit),
            text.utf8.drop(while: { $0 == UInt8(ascii: "0") }).count <= 15
        else { return nil }
        return Int(text)
    }
}
