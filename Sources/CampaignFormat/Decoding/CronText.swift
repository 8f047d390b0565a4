/// The five fields of a cron line: whether each is one that there is; when they come round is no matter here.
enum CronText {
    /// One of the five.
    struct Field {
        let name: String
        let bounds: ClosedRange<Int>
        /// What may stand for its numbers.
        let words: [String]

        /// A list of `*`, numbers or words and ranges of them, each with a step or without.
        func isGood(_ text: some StringProtocol) -> Bool {
            text.lowercased().split(separator: ",", omittingEmptySubsequences: false).allSatisfy {
                let parts = $0.split(separator: "/", omittingEmptySubsequences: false)
                let isStepGood =
                    parts.count == 1 || CronText.number(parts[1]).map { $0 > 0 } == true
                guard (1...2).contains(parts.count), isStepGood else { return false }
                if parts[0] == "*" { return true }
                let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
                return (1...2).contains(ends.count) && ends.allSatisfy(isValue)
            }
        }

        private func isValue(_ text: Substring) -> Bool {
            words.contains(String(text)) || CronText.number(text).map(bounds.contains) == true
        }
    }

    /// In their order.
    static let fields = [
        Field(name: "minute", bounds: 0...59, words: []),
        Field(name: "hour", bounds: 0...23, words: []),
        Field(name: "day of the month", bounds: 1...31, words: []),
        Field(
            name: "month", bounds: 1...12,
            words: [
                "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
            ]),
        Field(
            name: "weekday", bounds: 0...7,
            words: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]),
    ]

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            ? Int(text) : nil
    }
}
