/// Why a text is no tag expression, and where.
public struct TagExpressionError: Error, Sendable, Hashable {
    /// What is wrong.
    public enum Fault: Sendable, Hashable {
        /// A tag, `!` or `(` should stand here.
        case expectedTag
        /// `||`, `&&` or the end should stand here.
        case expectedOperator
        /// The parenthesis that opens here is not closed.
        case unclosedParenthesis
        /// The brace of the `$UserId:{…}` or `$InstallationId:{…}` that begins here is not closed.
        case unclosedBrace
        /// What begins here is no tag, or the expression has too many.
        case tag(TagError)
        /// Parentheses and negations stand in each other more than 32 times.
        case tooDeep
        /// The text has more than 8,192 bytes.
        case tooLong
    }

    /// What is wrong.
    public let fault: Fault

    /// Where, in characters from 0.
    public let offset: Int
}

extension TagExpressionError: CustomStringConvertible {
    /// A sentence with the place, counted from 1, and what to do.
    public var description: String {
        "The tag expression is wrong at character \(offset + 1): \(sentence)"
    }

    private var sentence: String {
        switch fault {
        case .expectedTag: "a tag, ! or ( should stand there. Put one, or take an operator away."
        case .expectedOperator: "|| or && should stand there. Tags are joined by these only."
        case .unclosedParenthesis: "the parenthesis is not closed. Close it."
        case .unclosedBrace: "the brace is not closed. Write $UserId:{…} or $InstallationId:{…}."
        case .tag(let error): error.description
        case .tooDeep:
            "more than \(TagExpressionParser.depthLimit) parentheses and negations stand in each "
                + "other. Take some away."
        case .tooLong:
            "it has more than \(TagExpressionParser.lengthLimit) bytes. Shorten it."
        }
    }
}
