/// The rules for a hub's name.
enum HubName {
    /// Whether a name can be a hub's: one path segment of 1 to 260 letters, digits and `. - _`, beginning
    /// with a letter or digit.
    static func isValid(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy { byte in
            TagGrammar.isTagByte(byte) && byte != UInt8(ascii: "@") && byte != UInt8(ascii: "#")
                && byte != UInt8(ascii: ":")
        }
        return isPlain && (1...260).contains(name.utf8.count)
            && name.first.map { $0.isLetter || $0.isNumber } == true
    }
}
