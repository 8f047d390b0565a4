import FoundationEssentials

/// Times as RFC 3339 writes them, in UTC with milliseconds: `2026-12-01T09:00:00.000Z`.
enum UTCTime {
    private static let secondsInDay: Int64 = 86_400

    /// Writes a time; a formatter costs many times as much, and this runs once a request.
    static func text(_ date: Date) -> String {
        let milliseconds = Int64((date.timeIntervalSince1970 * 1_000).rounded())
        let seconds = floorDivision(milliseconds, 1_000)
        let days = floorDivision(seconds, secondsInDay)
        let (year, month, day) = civilDay(days)
        let second = seconds - days * secondsInDay
        var text: [UInt8] = []
        text.reserveCapacity(24)
        func append(_ number: Int64, digits: Int, then separator: Unicode.Scalar) {
            let written = String(number).utf8
            text += [UInt8](repeating: UInt8(ascii: "0"), count: max(0, digits - written.count))
            text += written
            text.append(UInt8(ascii: separator))
        }
        append(year, digits: 4, then: "-")
        append(month, digits: 2, then: "-")
        append(day, digits: 2, then: "T")
        append(second / 3_600, digits: 2, then: ":")
        append(second / 60 % 60, digits: 2, then: ":")
        append(second % 60, digits: 2, then: ".")
        append(milliseconds - seconds * 1_000, digits: 3, then: "Z")
        return String(decoding: text, as: UTF8.self)
    }

    /// The day of the Gregorian calendar, from days since 1970-01-01, counted in years that begin
    /// in March.
    private static func civilDay(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floorDivision(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func floorDivision(_ number: Int64, _ divisor: Int64) -> Int64 {
        number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
    }
}
