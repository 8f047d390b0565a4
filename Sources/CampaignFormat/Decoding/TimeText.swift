import CampaignCore

enum TimeText {
    /// Reads a time such as `21:00` as a number from 0 to 1,439.
    static func minuteOfDay(_ text: String) -> Int? {
        guard matches(text, "00:00"), let hour = Int(text.prefix(2)),
            let minute = Int(text.suffix(2)), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    // MARK: What is wrong

    /// nil for text that does not have the form of a time.
    static func problem(
        in text: String
    ) -> (message: DiagnosticMessage, help: DiagnosticMessage)? {
        if let time = withoutZone(text) {
            let zone = text.dropFirst(time.count).trimming(\.isWhitespace)
            return (
                "The time ends with a zone, \"\(zone)\".",
                "Set the zone with \"time_zone\", and write \(time) in that zone's local time."
            )
        }
        let clock =
            text.drop { $0 != "T" }.isEmpty ? text[...] : text.drop { $0 != "T" }.dropFirst()
        guard matches(String(clock), "00:00") || matches(String(clock), "00:00:00") else {
            return nil
        }
        if clock.count < text.count {
            let date = String(text.prefix { $0 != "T" })
            guard matches(date, "0000-00-00") else { return nil }
            if let problem = problem(inDate: date) { return problem }
        }
        return problem(inClock: clock)
    }

    private static func problem(
        inDate date: String
    ) -> (message: DiagnosticMessage, help: DiagnosticMessage)? {
        let numbers = date.split(separator: "-").compactMap { Int($0) }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        guard (1...12).contains(month) else {
            return (
                "There is no month \(month).",
                "Write the date as year-month-day, with a month from 01 to 12."
            )
        }
        let length = CalendarDay.length(ofMonth: month, in: year)
        guard !(1...length).contains(day) else { return nil }
        let isLeapDay = month == 2 && day == 29
        return (
            "There is no \(day) \(CalendarDay.monthNames[month - 1])\(isLeapDay ? " in \(year)" : "").",
            "\(CalendarDay.monthNames[month - 1]) \(year) has \(length) days."
        )
    }

    private static func problem(
        inClock clock: Substring
    ) -> (message: DiagnosticMessage, help: DiagnosticMessage)? {
        let numbers = clock.split(separator: ":").compactMap { Int($0) }
        if numbers[0] > 23 {
            return (
                "There is no hour \(numbers[0]).",
                numbers[0] == 24
                    ? "Midnight is 00:00 of the next day."
                    : "Hours go from 00 to 23."
            )
        }
        guard let wrong = numbers.dropFirst().first(where: { $0 > 59 }) else { return nil }
        return (
            "There is no \(numbers[1] > 59 ? "minute" : "second") \(wrong).",
            "Minutes and seconds go from 00 to 59."
        )
    }

    /// The time before `Z`, `UTC` or an offset such as `+01:00`; nil if the text has no zone.
    private static func withoutZone(_ text: String) -> String? {
        guard let separator = text.firstIndex(where: { "Tt ".contains($0) }) ?? text.indices.first
        else { return nil }
        let end = text[separator...].firstIndex { "Zz+-UG".contains($0) } ?? text.endIndex
        let time = text[..<end].trimming(\.isWhitespace)
        let zone = text[end...].uppercased()
        let digits = zone.dropFirst().filter { $0 != ":" }
        let isOffset =
            "+-".contains(zone.first ?? " ") && [2, 4].contains(digits.count)
            && digits.allSatisfy { ("0"..."9").contains($0) }
        guard ["Z", "UTC", "GMT"].contains(zone) || isOffset else { return nil }
        return LocalTime(time) != nil || minuteOfDay(time) != nil ? time : nil
    }

    /// Whether the text has a form, in which 0 stands for any digit.
    private static func matches(_ text: String, _ form: String) -> Bool {
        text.utf8.count == form.utf8.count
            && zip(text.utf8, form.utf8).allSatisfy { byte, expected in
                expected == UInt8(ascii: "0")
                    ? byte.isDigit : byte == expected
            }
    }
}
