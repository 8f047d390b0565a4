import Foundation

/// Ids of notifications in the recorded form: 32 hex digits, UTC date and time, and two numbers.
enum NotificationID {
    /// A new id.
    ///
    /// - Parameters:
    ///   - now: the hub's time.
    ///   - random: a source of 64 random bits.
    /// - Returns: the id.
    static func make(now: Date, random: () -> UInt64) -> String {
        let time = now.formatted(
            Date.ISO8601FormatStyle(
                dateSeparator: .omitted, dateTimeSeparator: .space, timeSeparator: .omitted,
                timeZone: .gmt)
        ).filter(\.isASCIIDigit)
        let unique = Hexadecimal.text(random(), digits: 16) + Hexadecimal.text(random(), digits: 16)
        let numbers = random()
        return "\(unique)-\(time)-\(numbers % 100_000_000)-\((numbers >> 32) % 100)"
    }
}

extension Character {
    /// Whether the character is one of 0 to 9.
    fileprivate var isASCIIDigit: Bool {
        ("0"..."9").contains(self)
    }
}
