/// The forms of times in campaign files.
enum TimeText {
    /// The minute of the day in `21:00`, 0 to 1,439; nil for anything else.
    static func minuteOfDay(_ text: String) -> Int? {
        guard matches(text, "00:00"), let hour = Int(text.prefix(2)),
            let minute = Int(text.suffix(2)), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
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
