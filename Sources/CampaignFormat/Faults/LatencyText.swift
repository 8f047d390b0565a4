/// Latencies as files write them: `50ms`, `2s`.
enum LatencyText {
    private static let longest = Duration.seconds(600)

    /// Reads a time from 1 ms to 10 minutes; nil for anything else.
    static func parse(_ text: String) -> Duration? {
        let time: Duration?
        if text.hasSuffix("ms") {
            time = DecimalDigits.parse(text.dropLast(2)).flatMap {
                (1...600_000).contains($0) ? .milliseconds($0) : nil
            }
        } else {
            time = DurationText.parse(text)
        }
        return time.flatMap { $0 <= longest ? $0 : nil }
    }
}
