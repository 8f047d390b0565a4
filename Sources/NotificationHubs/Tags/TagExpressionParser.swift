struct TagExpressionParser {
    /// The maximum length of an expression in bytes.
    static let lengthLimit = 8_192

    /// The maximum nesting depth of parentheses and negations.
    static let depthLimit = 32

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func parse() throws(TagExpressionError) -> TagExpression {
        guard bytes.count <= Self.lengthLimit else { throw problem(.tooLong, at: 0) }
        let root = try parseAny()
        guard index == bytes.count else { throw problem(.expectedOperator, at: index) }
        do {
            return try TagExpression(checking: root)
        } catch {
            throw problem(.tag(error), at: 0)
        }
    }

    private mutating func parseAny() throws(TagExpressionError) -> TagNode {
        var parts = [try parseAll()]
        while take("||") { parts.append(try parseAll()) }
        return .joined(.any, parts)
    }

    private mutating func parseAll() throws(TagExpressionError) -> TagNode {
        var parts = [try parseOperand()]
        while take("&&") { parts.append(try parseOperand()) }
        return .joined(.all, parts)
    }

    private mutating func parseOperand() throws(TagExpressionError) -> TagNode {
        skipSpaces()
        let start = index
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw problem(.tooDeep, at: start) }
        if take("!") { return .negated(try parseOperand()) }
        guard take("(") else { return .tag(try parseTag()) }
        let inner = try parseAny()
        guard take(")") else {
            throw index == bytes.count
                ? problem(.unclosedParenthesis, at: start) : problem(.expectedOperator, at: index)
        }
        return inner
    }

    private mutating func parseTag() throws(TagExpressionError) -> Tag {
        let start = index
        for special in SpecialTag.allCases where starts(with: special.opening) {
            index += special.opening.utf8.count
            guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else {
                throw problem(.unclosedBrace, at: start)
            }
            let inner = String(decoding: bytes[index..<end], as: UTF8.self)
            index = end + 1
            skipSpaces()
            do {
                return try Tag.special(special, inner)
            } catch {
                throw problem(.tag(error), at: start)
            }
        }
        let end = bytes[index...].firstIndex { !Tag.allows($0) } ?? bytes.count
        guard end > start else {
            throw problem(isOutOfPlace ? .expectedTag : .tag(.forbiddenCharacter), at: start)
        }
        index = end
        if index < bytes.count, !isOutOfPlace {
            throw problem(.tag(.forbiddenCharacter), at: index)
        }
        skipSpaces()
        do {
            return try Tag(String(decoding: bytes[start..<end], as: UTF8.self))
        } catch {
            throw problem(.tag(error), at: start)
        }
    }

    /// Whether the next character is valid in an expression, or the end of the text is reached.
    private var isOutOfPlace: Bool {
        index == bytes.count || " \t|&!()".utf8.contains(bytes[index])
    }

    private func starts(with text: String) -> Bool {
        bytes[index...].starts(with: text.utf8)
    }

    private mutating func take(_ text: String) -> Bool {
        skipSpaces()
        guard starts(with: text) else { return false }
        index += text.utf8.count
        skipSpaces()
        return true
    }

    private mutating func skipSpaces() {
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    }

    /// Creates an error with its position in characters.
    ///
    /// All characters before an error are ASCII, except within braces, for which the position of
    /// the opening brace is reported.
    private func problem(_ fault: TagExpressionError.Fault, at offset: Int) -> TagExpressionError {
        TagExpressionError(fault: fault, offset: offset)
    }
}

/// The reason why some text is not a tag expression, with the position.
public struct TagExpressionError: Error, Sendable, Hashable {
    /// The kind of error.
    public enum Fault: Sendable, Hashable {
        /// A tag, `!` or `(` is expected here.
        case expectedTag
        /// `||`, `&&` or the end is expected here.
        case expectedOperator
        /// The parenthesis that is opened here is not closed.
        case unclosedParenthesis
        /// The brace of the `$UserId:{…}` or `$InstallationId:{…}` that begins here is not closed.
        case unclosedBrace
        /// A tag is invalid, or the expression has too many.
        case tag(TagError)
        /// Parentheses and negations are nested more than 32 levels deep.
        case tooDeep
        /// The text has more than 8,192 bytes.
        case tooLong
    }

    /// The kind of error.
    public let fault: Fault

    /// The position, in characters from 0.
    public let offset: Int
}

extension TagExpressionError: CustomStringConvertible {
    /// A sentence with the position, counted from 1, and what to do.
    public var description: String {
        "The tag expression has an error at character \(offset + 1): \(sentence)"
    }

    private var sentence: String {
        switch fault {
        case .expectedTag: "a tag, ! or ( is expected here. Add a tag, or remove an operator."
        case .expectedOperator:
            "|| or && is expected here. Use one of these operators to join tags."
        case .unclosedParenthesis: "the parenthesis is not closed. Close it."
        case .unclosedBrace: "the brace is not closed. Write $UserId:{…} or $InstallationId:{…}."
        case .tag(let error): error.description
        case .tooDeep:
            "more than \(TagExpressionParser.depthLimit) parentheses and negations are nested in "
                + "each other. Remove some."
        case .tooLong:
            "the expression has more than \(TagExpressionParser.lengthLimit) bytes. Shorten it."
        }
    }
}
