/// Where the characters of a scalar's text stand in the file, through quotes, escapes and folding.
///
/// Whatever the style, the characters of the text that are not white space are those of its
/// spelling in the same order; so the n-th of one is the n-th of the other.
package struct ScalarPlaces: Sendable {
    private let node: YAMLNode
    private let source: SourceText
    private let text: [Unicode.Scalar]
    /// The bytes that spell each character that is not white space; nil where the spelling is
    /// elsewhere, because an alias stands for the scalar.
    private let spellings: [Range<Int>]?

    /// Compares a scalar's text with its spelling.
    ///
    /// - Parameters:
    ///   - node: a scalar of the document; any other node has no text.
    ///   - source: the document's source.
    package init(of node: YAMLNode, in source: SourceText) {
        self.node = node
        self.source = source
        guard case .scalar(let scalar) = node.content else {
            (text, spellings) = ([], nil)
            return
        }
        text = Array(scalar.text.unicodeScalars)
        let spelled = ScalarSpelling(of: node.range, style: scalar.style, in: source.bytes)
        let matches = spelled.characters.count == text.count { !$0.isFoldable }
        spellings = matches ? spelled.characters : nil
    }

    /// Where a part of the text stands.
    ///
    /// - Parameter part: UTF-8 offsets in the scalar's text.
    /// - Returns: the range from its first to its last character that is not white space; the range
    ///   of the whole node where the part has none or is spelled elsewhere.
    package func range(ofText part: Range<Int>) -> SourceRange {
        guard let spellings else { return node.range }
        var offset = 0
        var number = 0
        var covered: Range<Int>?
        for scalar in text where offset < part.upperBound {
            if !scalar.isFoldable {
                if offset >= part.lowerBound {
                    let place = spellings[number]
                    covered = (covered ?? place).lowerBound..<place.upperBound
                }
                number += 1
            }
            offset += scalar.utf8.count
        }
        return covered.map { source.range(ofBytes: $0) } ?? node.range
    }
}

extension Unicode.Scalar {
    /// Whether YAML may have made this character from another one, or from none.
    var isFoldable: Bool { value < 0x80 && UInt8(value).isWhitespace }
}
