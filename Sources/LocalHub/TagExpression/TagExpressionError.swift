/// Why a text is no tag expression that the hub accepts.
enum TagExpressionError: Error, Equatable {
    case empty
    case unexpected(at: Int)
    case unfinished
    case tagTooLong(length: Int)
    case tooManyTags(limit: Int)
    case nestedTooDeeply
}

extension TagExpressionError: CustomStringConvertible {
    /// The fault as a sentence for the error body, which never repeats a tag.
    var description: String {
        switch self {
        case .empty:
            "The tag expression is empty; leave the header out to reach every device."
        case .unexpected(let offset):
            "The tag expression is malformed at character \(offset + 1)."
        case .unfinished:
            "The tag expression ends where a tag, a closing brace or a parenthesis is due."
        case .tagTooLong(let length):
            "A tag has \(length) characters; at most \(TagGrammar.longestTag) are allowed."
        case .tooManyTags(let limit):
            """
            The tag expression has more than \(limit) tags; \(TagGrammar.mostAlternatives) are \
            allowed when only || joins them, otherwise \(TagGrammar.mostTags).
            """
        case .nestedTooDeeply:
            "The tag expression is nested more than \(TagGrammar.deepestNesting) levels deep."
        }
    }
}
