/// How long a client wants to wait for a message.
enum WaitTime {
    /// The usual time.
    static let usual = Duration.seconds(30)

    /// Reads a time such as `30s` or `2m`.
    ///
    /// - Parameter text: the text; nil: the usual time.
    /// - Returns: the time, 1 second to 10 minutes.
    /// - Throws: a 400 when it is none.
    static func read(_ text: String?) throws(HubFailure) -> Duration {
        guard let text else { return usual }
        let digits = text.dropLast()
        guard (1...3).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(digits), let unit = ["s": 1, "m": 60][text.suffix(1)],
            (1...600).contains(number * unit)
        else {
            throw .badRequest("timeout is no time from 1s to 10m, such as 30s or 2m.")
        }
        return .seconds(number * unit)
    }
}
