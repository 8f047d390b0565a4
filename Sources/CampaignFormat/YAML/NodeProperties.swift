/// The positions of the tag and anchor before a node, and of the node's text.
struct NodeProperties {
    /// The tag with its exclamation mark.
    private(set) var tag: Range<Int>?

    /// The first byte of the node itself, or the end if the node only has properties.
    private(set) var contentStart: Int

    /// Skips the properties at the beginning of a node.
    init(in range: Range<Int>, of bytes: [UInt8]) {
        contentStart = range.lowerBound
        while contentStart < range.upperBound {
            let byte = bytes[contentStart]
            if byte.isWhitespace {
                contentStart += 1
            } else if byte.is("#") {
                skip(in: range, of: bytes) { !$0.isLineBreak }
            } else if byte.is("&") {
                contentStart += 1
                skip(in: range, of: bytes) { $0.isNameCharacter }
            } else if byte.is("!") {
                let start = contentStart
                if bytes.has("!<", at: start) {
                    skip(in: range, of: bytes) { !$0.is(">") }
                    contentStart = min(contentStart + 1, range.upperBound)
                } else {
                    skip(in: range, of: bytes) { !$0.endsTag }
                }
                tag = start..<contentStart
            } else {
                return
            }
        }
    }

    private mutating func skip(
        in range: Range<Int>, of bytes: [UInt8], while belongs: (UInt8) -> Bool
    ) {
        while contentStart < range.upperBound, belongs(bytes[contentStart]) { contentStart += 1 }
    }
}

extension UInt8 {
    fileprivate var endsTag: Bool {
        isWhitespace || self.is(",") || self.is("[") || self.is("]") || self.is("{")
            || self.is("}")
    }
}
