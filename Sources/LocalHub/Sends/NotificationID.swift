import struct Foundation.Date

/// Notification ids like those of the service.
enum NotificationID {
    /// Creates the id of a send: 32 hexadecimal digits, the UTC date and time, and two numbers,
    /// joined by `-`.
    static func make(now: Date, random: () -> UInt64) -> String {
        let numbers = random()
        return
            "\(unique(random))-\(digits(of: now))-\(numbers % 100_000_000)-\((numbers >> 32) % 100)"
    }

    /// Creates the id of a scheduled send: the same parts and a queue name, joined by `_`.
    static func makeScheduled(now: Date, random: () -> UInt64) -> String {
        let numbers = random()
        return
            "\(unique(random))_\(digits(of: now))_\(numbers % 100_000_000)_\((numbers >> 32) % 100)"
            + "_QNHQueue\(unique(random))-S\((numbers >> 40) % 1_000)"
    }

    private static func unique(_ random: () -> UInt64) -> String {
        Hexadecimal.text(random(), digits: 16) + Hexadecimal.text(random(), digits: 16)
    }

    /// The time as `yyyyMMddHHmmss` in UTC.
    private static func digits(of time: Date) -> String {
        ServiceTime.seconds(time).filter(\.isNumber)
    }
}
