extension UInt8 {
    @inlinable package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    @inlinable package var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

    @inlinable package var isHexDigit: Bool {
        isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20
    }

    /// Whether the character is a letter, a digit, or one of `others`, which must be ASCII.
    @inlinable package func isAlphanumeric(or others: String) -> Bool {
        isLetter || isDigit || others.utf8.contains(self)
    }
}

extension Unicode.Scalar {
    @inlinable package func isAlphanumeric(or others: String) -> Bool {
        isASCII && UInt8(ascii: self).isAlphanumeric(or: others)
    }
}
