/// Whole numbers written with ASCII digits only, as `Int.init` is more liberal.
enum DecimalDigits {
    /// Reads 1 to 15 digits; nil for anything else.
    static func parse(_ text: some StringProtocol) -> Int? {
        guard (1...15).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(text)
    }
}
