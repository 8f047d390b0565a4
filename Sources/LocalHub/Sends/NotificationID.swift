import struct Foundation.Date

/// Ids of notifications in the recorded forms.
enum NotificationID {
    /// Makes the id of a send: 32 hex digits, UTC date and time, and two numbers, joined by `-`.
    static func make(now: Date, random: () -> UInt64) -> String {
        let numbers = random()
        return
            "\(unique(random))-\(digits(of: now))-\(numbers % 100_000_000)-\((numbers >> 32) % 100)"
    }

    /// Makes the id of a scheduled send: the same joined by `_`, and the queue that it waits in.
    static func makeScheduled(now: Date, random: () -> UInt64) -> String {
        let numbers = random()
        return
            "\(unique(random))_\(digits(of: now))_\(numbers % 100_000_000)_\((numbers >> 32) % 100)"
            + "_QNHQueue\(unique(random))-S\((numbers >> 40) % 1_000)"
    }

    private static func unique(_ random: () -> UInt64) -> String {
        Hexadecimal.text(random(), digits: 16) + Hexadecimal.text(random(), digits: 16)
    }

    /// `yyyyMMddHHmmss` in UTC.
    private static func digits(of time: Date) -> String {
        ServiceTime.seconds(time).filter(\.isNumber)
    }
}
