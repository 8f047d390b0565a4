#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Formats times in UTC as in RFC 3339, such as `2026-12-01T09:00:00Z`.
///
/// Reports contain a time in every row, and a general formatter would take longer than the rest of
/// the row. Years are limited to 0000 to 9999.
package enum UTCTime {
    private static let secondsPerDay: Int64 = 86_400
    /// The limits, 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
    private static let bounds: ClosedRange<Double> = -62_167_219_200...253_402_300_799

    /// Returns whole seconds, rounded down: jq's `fromdate` and many JSON readers accept nothing
    /// else.
    package static func text(_ date: Date) -> String {
        var bytes: [UInt8] = []
        append(date, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns milliseconds, rounded to the nearest: `2026-12-01T09:00:00.000Z`.
    package static func preciseText(_ date: Date) -> String {
        var bytes: [UInt8] = []
        append(precise: date, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the same text as ``preciseText(_:)``.
    package static func append(precise date: Date, to bytes: inout [UInt8]) {
        let given = (date.timeIntervalSince1970 * 1_000).rounded()
        let milliseconds = Int64(
            bounded(given, to: (bounds.lowerBound * 1_000)...(bounds.upperBound * 1_000 + 999)))
        let fraction = (milliseconds % 1_000 + 1_000) % 1_000
        append(seconds: (milliseconds - fraction) / 1_000, then: ".", to: &bytes)
        bytes.append(UInt8(ascii: "0") + UInt8(fraction / 100))
        append(fraction % 100, UInt8(ascii: "Z"), to: &bytes)
    }

    /// Returns text such as `2026-12-01 09:00:00 UTC`.
    package static func readable(_ date: Date) -> String {
        var bytes: [UInt8] = []
        append(date, to: &bytes)
        bytes[10] = UInt8(ascii: " ")
        bytes.removeLast()
        return String(decoding: bytes, as: UTF8.self) + " UTC"
    }

    /// Returns text such as `2026-12-01 08:00:00 UTC (09:00 Europe/Berlin)`; nothing is added if
    /// the zone is UTC or nil.
    package static func readable(_ date: Date, in zone: TimeZoneRules?) -> String {
        let time = readable(date)
        guard let zone, !zone.name.hasSuffix("UTC") else { return time }
        let seconds = bounded(date.timeIntervalSince1970.rounded(.down), to: bounds)
        let local = readable(
            Date(timeIntervalSince1970: seconds + Double(zone.offset(at: Int(seconds))))
        ).prefix("2026-12-01 09:00".count)
        let isSameDay = local.prefix(10) == time.prefix(10)
        return "\(time) (\(isSameDay ? local.dropFirst(11) : local) \(zone.name))"
    }

    package static func append(_ date: Date, to bytes: inout [UInt8]) {
        let seconds = bounded(date.timeIntervalSince1970.rounded(.down), to: bounds)
        append(seconds: Int64(seconds), then: "Z", to: &bytes)
    }

    /// Limits a number; NaN becomes the lower bound.
    private static func bounded(_ given: Double, to bounds: ClosedRange<Double>) -> Double {
        given > bounds.lowerBound ? min(given, bounds.upperBound) : bounds.lowerBound
    }

    private static func append(
        seconds: Int64, then end: Unicode.Scalar, to bytes: inout [UInt8]
    ) {
        let time = (seconds % secondsPerDay + secondsPerDay) % secondsPerDay
        let date = CalendarDay(number: Int((seconds - time) / secondsPerDay))
        append(Int64(date.year / 100), to: &bytes)
        append(Int64(date.year % 100), UInt8(ascii: "-"), to: &bytes)
        append(Int64(date.month), UInt8(ascii: "-"), to: &bytes)
        append(Int64(date.day), UInt8(ascii: "T"), to: &bytes)
        append(time / 3600, UInt8(ascii: ":"), to: &bytes)
        append(time / 60 % 60, UInt8(ascii: ":"), to: &bytes)
        append(time % 60, UInt8(ascii: end), to: &bytes)
    }

    /// Appends two digits and a byte after them.
    private static func append(_ number: Int64, _ after: UInt8? = nil, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "0") + UInt8(number / 10))
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
        if let after { bytes.append(after) }
    }
}
