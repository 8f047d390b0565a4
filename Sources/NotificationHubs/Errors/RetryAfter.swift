/// The `Retry-After` header of an answer.
enum RetryAfter: Sendable, Hashable {
    /// A whole number of seconds.
    case delay(Duration)
    /// The header is there and is not a whole number: a date, which depends on two clocks, or
    /// nonsense.
    case unreadable

    /// The longest time that is believed, in seconds; a broken hub must not put a campaign to sleep
    /// for a year.
    static let limit = 3_600

    /// Reads the header's value.
    ///
    /// - Parameter value: the value; up to nine digits are a number, more stand for the limit.
    init(_ value: String) {
        let digits = value.utf8.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()
        guard !digits.isEmpty,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else {
            self = .unreadable
            return
        }
        let seconds = digits.count > 9 ? Self.limit : digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        self = .delay(.seconds(min(seconds, Self.limit)))
    }

    /// The time to wait; nil when it is unreadable.
    var delay: Duration? {
        guard case .delay(let duration) = self else { return nil }
        return duration
    }
}
