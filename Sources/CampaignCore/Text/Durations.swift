package enum Durations {
    /// The units in files, largest first.
    package static let units: [(name: String, milliseconds: Int)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// Returns whole seconds in the largest unit that fits, as in files: `10m`.
    package static func written(_ duration: Duration) -> String {
        let time = Int(duration.components.seconds) * 1_000
        let unit = units.first { time.isMultiple(of: $0.milliseconds) && time > 0 } ?? ("s", 1_000)
        return "\(time / unit.milliseconds)\(unit.name)"
    }

    /// Returns the two largest units, without zeros: `2h`, `1h 30m`; fractions are rounded up.
    package static func short(_ duration: Duration) -> String {
        var rest = Int((duration / .seconds(1)).rounded(.up)) * 1_000
        let parts = units.dropLast().map { unit in
            defer { rest %= unit.milliseconds }
            return (count: rest / unit.milliseconds, name: unit.name)
        }
        let shown = parts.drop { $0.count == 0 }.prefix(2).filter { $0.count > 0 }
        return shown.isEmpty ? "0s" : shown.map { "\($0.count)\($0.name)" }.joined(separator: " ")
    }

    /// Returns text such as `42 s`, `3 min 20 s` or `2 h 5 min`; fractions are rounded up.
    package static func text(seconds: Double) -> String {
        let whole = Int(seconds.rounded(.up))
        return switch whole {
        case ..<60: "\(whole) s"
        case ..<3600: whole % 60 == 0 ? "\(whole / 60) min" : "\(whole / 60) min \(whole % 60) s"
        default:
            whole % 3600 < 60
                ? "\(whole / 3600) h" : "\(whole / 3600) h \(whole % 3600 / 60) min"
        }
    }

    /// Returns text such as `7 days`, or the text of ``text(seconds:)`` for anything but whole
    /// days.
    package static func span(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        let days = seconds / 86_400
        guard days >= 1, days == days.rounded(), days < 1e6 else {
            return text(seconds: min(max(0, seconds), 1e12))
        }
        return Figures.count(Int(days), "day", "days")
    }
}
