/// A day of the proleptic Gregorian calendar, without a time zone.
package struct CalendarDay: Hashable, Sendable {
    package static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]
    /// The names of weekdays, starting with Sunday like ``weekday``.
    package static let weekdayNames = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    /// The first three letters of each month.
    package static let shortMonths = monthNames.map { String($0.prefix(3)) }
    /// The first three letters of each weekday.
    package static let shortWeekdays = weekdayNames.map { String($0.prefix(3)) }

    package let year: Int
    /// The month, 1 to 12.
    package let month: Int
    /// The day of the month, 1 to 31.
    package let day: Int

    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month),
            (1...Self.length(ofMonth: month, in: year)).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Makes a day from the number of days since 1970-01-01, which may be negative.
    ///
    /// Years are counted from March, so that a leap day is the last day of a year. 400 years have
    /// 146,097 days.
    package init(number: Int) {
        let (era, dayOfEra) = (number + 719_468).dividedDown(by: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * march + 2) / 5 + 1
        month = march < 10 ? march + 3 : march - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The number of days since 1970-01-01.
    package var number: Int {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).dividedDown(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    /// The weekday, from 0 for Sunday to 6 for Saturday.
    package var weekday: Int { (number + 4).dividedDown(by: 7).remainder }

    package static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }
}

extension Int {
    /// Rounds the quotient down, so that the remainder is not negative.
    package func dividedDown(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
