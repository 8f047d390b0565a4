extension UInt8 {
    /// Whether the byte is a space, a tab or part of a line break.
    var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    var isLetterOrDigit: Bool {
        // Upper and lower case of a letter differ only in this bit.
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }

    var isHexDigit: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
    }
}

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// The bytes without leading and trailing spaces.
    func trimmed() -> Self {
        var rest = drop(while: \.isSpace)
        while rest.last?.isSpace == true { rest = rest.dropLast() }
        return rest
    }
}
