/// Days of the Gregorian calendar as numbers, without the cost of a calendar.
///
/// Years begin in March here, so that the leap day is the last of the year.
enum CivilDay {
    private static let daysInEra = 146_097
    private static let daysBefore1970 = 719_468

    /// The days from 1970-01-01 to a day; nil when there is no such day.
    ///
    /// - Parameters:
    ///   - year: the year, 1 to 9999.
    ///   - month: the month, 1 to 12.
    ///   - day: the day of the month, from 1.
    /// - Returns: the days; below zero for days before.
    static func number(year: Int, month: Int, day: Int) -> Int? {
        guard (1...9_999).contains(year), (1...12).contains(month), (1...31).contains(day) else {
            return nil
        }
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let number = era * daysInEra + dayOfEra - daysBefore1970
        // The 31st of a shorter month would come out as a day of the next.
        return Self.date(of: number) == (year, month, day) ? number : nil
    }

    /// The day that so many days after 1970-01-01 is.
    ///
    /// - Parameter number: the days; below zero for days before, down to the year 1.
    /// - Returns: year, month and day of the month.
    static func date(of number: Int) -> (year: Int, month: Int, day: Int) {
        let days = number + daysBefore1970
        let era = days / daysInEra
        let dayOfEra = days % daysInEra
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month,
            dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }
}
