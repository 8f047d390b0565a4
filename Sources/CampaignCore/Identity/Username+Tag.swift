extension Username {
    /// Removes this person's name from their tag in UTF-8 text, for example in an answer of the hub
    /// about several people.
    ///
    /// Tags of people whose names only begin with this name are kept.
    package func untagged(_ text: [UInt8]) -> [UInt8] {
        let named = Array(tag.utf8)
        let nameless = named.count - self.text.utf8.count
        var rest = text[...]
        var kept: [UInt8] = []
        while let first = rest.firstIndex(of: named[0]) {
            kept += rest[..<first]
            rest = rest[first...]
            if rest.starts(with: named), Self.endsName(rest.dropFirst(named.count)) {
                kept += named[..<nameless]
                rest = rest.dropFirst(named.count)
            } else {
                kept.append(rest.removeFirst())
            }
        }
        return kept + rest
    }

    /// Whether a name ends here.
    ///
    /// A full stop or a colon may be part of a name, or may be punctuation after it.
    private static func endsName(_ rest: ArraySlice<UInt8>) -> Bool {
        let marks: [UInt8] = [UInt8(ascii: "."), UInt8(ascii: ":")]
        guard let next = rest.drop(while: marks.contains).first else { return true }
        return !HubTag.isAllowed(next)
    }
}
