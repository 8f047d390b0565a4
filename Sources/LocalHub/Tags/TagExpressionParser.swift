/// Parses a tag expression by recursive descent in one pass, with limits on tags and nesting.
struct TagExpressionParser {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    private var tags = 0
    private var onlyAlternatives = true

    private init(_ text: String) {
        bytes = Array(text.utf8)
    }

    static func parse(_ text: String) throws(TagExpressionError) -> TagExpression {
        var parser = TagExpressionParser(text)
        parser.skipSpace()
        guard parser.position < parser.bytes.count else { throw .empty }
        let expression = try parser.alternatives()
        guard parser.position == parser.bytes.count else { throw .unexpected(at: parser.position) }
        return expression
    }

    private mutating func alternatives() throws(TagExpressionError) -> TagExpression {
        var operands = [try conjunction()]
        while try takes(pair: UInt8(ascii: "|")) {
            operands.append(try conjunction())
        }
        return operands.count == 1 ? operands[0] : .any(operands)
    }

    private mutating func conjunction() throws(TagExpressionError) -> TagExpression {
        var operands = [try operand()]
        while try takes(pair: UInt8(ascii: "&")) {
            try forbidLongList()
            operands.append(try operand())
        }
        return operands.count == 1 ? operands[0] : .all(operands)
    }

    private mutating func operand() throws(TagExpressionError) -> TagExpression {
        guard position < bytes.count else { throw .unfinished }
        depth += 1
        defer { depth -= 1 }
        guard depth <= TagGrammar.deepestNesting else { throw .nestedTooDeeply }
        switch bytes[position] {
        case UInt8(ascii: "!"):
            try forbidLongList()
            advance()
            return .not(try operand())
        case UInt8(ascii: "("):
            advance()
            let inner = try alternatives()
            guard position < bytes.count else { throw .unfinished }
            guard bytes[position] == UInt8(ascii: ")") else { throw .unexpected(at: position) }
            advance()
            return inner
        case UInt8(ascii: "$"):
            return .term(try special())
        default:
            return .term(try plainTag())
        }
    }

    private mutating func plainTag() throws(TagExpressionError) -> TagTerm {
        let start = position
        while position < bytes.count, TagGrammar.isTagByte(bytes[position]) { position += 1 }
        let length = position - start
        guard length > 0 else { throw .unexpected(at: position) }
        guard length <= TagGrammar.longestTag else { throw .tagTooLong(length: length) }
        try countTag()
        let tag = String(decoding: bytes[start..<position], as: UTF8.self)
        skipSpace()
        return .tag(tag)
    }

    private mutating func special() throws(TagExpressionError) -> TagTerm {
        if takes(prefix: "$InstallationId:{") { return .installation(try braced()) }
        if takes(prefix: "$UserId:{") { return .user(try braced()) }
        throw .unexpected(at: position)
    }

    /// Reads the text after the opening brace, up to the closing brace.
    private mutating func braced() throws(TagExpressionError) -> String {
        let start = position
        while position < bytes.count, TagGrammar.isSpecialByte(bytes[position]) { position += 1 }
        guard position < bytes.count else { throw .unfinished }
        guard position > start, bytes[position] == UInt8(ascii: "}") else {
            throw .unexpected(at: position)
        }
        let length = position - start
        guard length <= TagGrammar.longestSpecial else { throw .tagTooLong(length: length) }
        try countTag()
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        advance()
        return text
    }

    private mutating func countTag() throws(TagExpressionError) {
        tags += 1
        try checkCount()
    }

    /// Records an operator other than `||`, which lowers the limit on tags.
    private mutating func forbidLongList() throws(TagExpressionError) {
        onlyAlternatives = false
        try checkCount()
    }

    private func checkCount() throws(TagExpressionError) {
        let limit = onlyAlternatives ? TagGrammar.mostAlternatives : TagGrammar.mostTags
        guard tags <= limit else { throw .tooManyTags(limit: limit) }
    }

    /// Reads `||` or `&&`, if it is next.
    private mutating func takes(pair byte: UInt8) throws(TagExpressionError) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        guard position + 1 < bytes.count else { throw .unfinished }
        guard bytes[position + 1] == byte else { throw .unexpected(at: position + 1) }
        position += 2
        skipSpace()
        return true
    }

    private mutating func takes(prefix: String) -> Bool {
        guard bytes[position...].starts(with: prefix.utf8) else { return false }
        position += prefix.utf8.count
        return true
    }

    private mutating func advance() {
        position += 1
        skipSpace()
    }

    private mutating func skipSpace() {
        while position < bytes.count,
            bytes[position] == UInt8(ascii: " ") || bytes[position] == UInt8(ascii: "\t")
        {
            position += 1
        }
    }
}
