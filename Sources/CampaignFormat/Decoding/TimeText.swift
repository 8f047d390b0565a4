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
