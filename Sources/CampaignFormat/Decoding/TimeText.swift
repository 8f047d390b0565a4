/// The forms of times in campaign files, and whether there are such times.
enum TimeText {
    /// `2026-12-01T09:00`, seconds allowed.
    static func isLocalTime(_ text: String) -> Bool {
        guard matches(text, "0000-00-00T00:00") || matches(text, "0000-00-00T00:00:00") else {
            return false
        }
        let numbers = text.split { "-T:".contains($0) }.compactMap { Int($0) }
        guard numbers.count >= 5, isTimeOfDay(String(text.dropFirst(11).prefix(5))) else {
            return false
        }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        return (1...12).contains(month) && (1...days(of: month, in: year)).contains(day)
            && (numbers.count == 5 || numbers[5] < 60)
    }

    /// The minutes from 1970 to a local time, as a clock without zones counts them; nil for what is none.
    static func minutes(_ text: String) -> Int? {
        guard isLocalTime(text) else { return nil }
        let numbers = text.split { "-T:".contains($0) }.compactMap { Int($0) }
        // Years that begin in March end with the day that not all of them have.
        let (month, day) = ((numbers[1] + 9) % 12, numbers[2])
        let year = numbers[0] - (numbers[1] < 3 ? 1 : 0) + 400
        let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1
        // So many of them are before 1970.
        return ((days - 865_565) * 24 + numbers[3]) * 60 + numbers[4]
    }

    private static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// `21:00`.
    static func isTimeOfDay(_ text: String) -> Bool {
        guard matches(text, "00:00"), let hour = Int(text.prefix(2)),
            let minute = Int(text.suffix(2))
        else { return false }
        return hour < 24 && minute < 60
    }

    /// `Europe/Berlin`, `UTC`.
    static func isZoneName(_ text: String) -> Bool {
        text.utf8.count <= 64
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "A"..."Z", "a"..."z", "0"..."9", "/", "_", "+", "-": true
                default: false
                }
            }
    }

    /// Whether a text has a digit wherever the form has 0, and is the same elsewhere.
    private static func matches(_ text: String, _ form: String) -> Bool {
        text.utf8.count == form.utf8.count
            && zip(text.utf8, form.utf8).allSatisfy { byte, expected in
                expected == UInt8(ascii: "0")
                    ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == expected
            }
    }
}

/// The five fields of a cron line; only their form is checked.
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

        /// The numbers that it names; nil where it has not the form, or a range that ends before it begins.
        func values(_ text: some StringProtocol) -> Set<Int>? {
            var values: Set<Int> = []
            for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
                let halves = part.split(separator: "/", omittingEmptySubsequences: false)
                let step = halves.count == 2 ? CronText.number(halves[1]) : 1
                guard halves.count <= 2, let range = halves.first.flatMap(range), let step,
                    step > 0
                else { return nil }
                values.formUnion(range.lazy.filter { ($0 - range.lowerBound) % step == 0 })
            }
            return values
        }

        private func range(_ text: Substring) -> ClosedRange<Int>? {
            if text == "*" { return bounds }
            let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(value)
            guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil,
                first <= last
            else { return nil }
            return first...last
        }

        private func isValue(_ text: Substring) -> Bool { value(text) != nil }

        private func value(_ text: Substring) -> Int? {
            if let index = words.firstIndex(of: String(text)) { return bounds.lowerBound + index }
            return CronText.number(text).flatMap { bounds.contains($0) ? $0 : nil }
        }
    }

    static let minute = Field(name: "minute", bounds: 0...59, words: [])
    static let hour = Field(name: "hour", bounds: 0...23, words: [])
    static let weekday = Field(
        name: "weekday", bounds: 0...7,
        words: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"])

    /// In their order.
    static let fields = [
        minute, hour,
        Field(name: "day of the month", bounds: 1...31, words: []),
        Field(
            name: "month", bounds: 1...12,
            words: [
                "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
            ]), weekday,
    ]

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            ? Int(text) : nil
    }
}
