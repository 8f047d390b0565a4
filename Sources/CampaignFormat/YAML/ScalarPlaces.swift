/// The places of a scalar's characters in the file, through quotes, escapes and folding.
///
/// In every style, the non-white characters of the text and of its spelling correspond one to one,
/// in order.
package struct ScalarPlaces: Sendable {
    private let node: YAMLNode
    private let source: SourceText
    private let text: [Unicode.Scalar]
    /// The bytes that spell each non-white character; nil if the scalar comes from an alias.
    private let spellings: [Range<Int>]?

    /// If the node is not a scalar, there is no text.
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

    /// The place of a part of the text, by UTF-8 offsets, without white space at its ends.
    ///
    /// If the part is only white space, or is spelled elsewhere, returns the whole node's place.
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
    /// Whether the file may contain another character here, or none at all.
    fileprivate var isFoldable: Bool { value < 0x80 && UInt8(value).isWhitespace }
}

/// The bytes that spell each non-white character of a scalar.
private struct ScalarSpelling {
    private(set) var characters: [Range<Int>] = []
    private let bytes: [UInt8]
    private var offset: Int
    private let end: Int

    init(of range: SourceRange, style: YAMLScalar.Style, in bytes: [UInt8]) {
        self.bytes = bytes
        offset = range.start.offset
        end = min(range.end.offset, bytes.count)
        switch style {
        case .plain:
            while offset < end { takeCharacter() }
        case .singleQuoted:
            offset += 1
            while offset < end - 1 {
                if bytes.has("''", at: offset) { take(2) } else { takeCharacter() }
            }
        case .doubleQuoted:
            offset += 1
            while offset < end - 1 {
                if bytes[offset].is("\\") { takeEscape() } else { takeCharacter() }
            }
        case .literal, .folded:
            while offset < end, !bytes[offset].isLineBreak { offset += 1 }
            while offset < end { takeCharacter() }
        }
    }

    private mutating func takeCharacter() {
        guard !bytes[offset].isWhitespace else {
            offset += 1
            return
        }
        var length = 1
        while offset + length < end, bytes[offset + length].isUTF8Continuation { length += 1 }
        take(length)
    }

    private mutating func take(_ length: Int) {
        characters.append(offset..<offset + length)
        offset += length
    }

    private mutating func takeEscape() {
        guard offset + 1 < end else { return take(1) }
        if SurrogatePairs.scalar(in: bytes[..<end], at: offset) != nil { return take(12) }
        let digits =
            switch bytes[offset + 1] {
            case UInt8(ascii: "x"): 2
            case UInt8(ascii: "u"): 4
            case UInt8(ascii: "U"): 8
            default: 0
            }
        let code = bytes[offset + 1..<min(offset + 2 + digits, end)]
        if isWhitespace(code) { offset += 1 + code.count } else { take(1 + code.count) }
    }

    /// Whether an escape, without its backslash, represents white space.
    private func isWhitespace(_ code: ArraySlice<UInt8>) -> Bool {
        guard let first = code.first else { return true }
        guard code.count > 1 else {
            return first.isWhitespace || first.is("t") || first.is("n") || first.is("r")
        }
        let value = UInt32(String(decoding: code.dropFirst(), as: UTF8.self), radix: 16)
        return value.flatMap(Unicode.Scalar.init)?.isFoldable ?? false
    }
}
