/// The condition in `ServiceBusNotification-Tags`, with the operators (highest precedence first)
/// `!`, `&&` and `||`, and parentheses.
indirect enum TagExpression: Hashable, Sendable, Codable {
    case term(TagTerm)
    case not(TagExpression)
    case all([TagExpression])
    case any([TagExpression])

    func holds(_ carries: (TagTerm) -> Bool) -> Bool {
        switch self {
        case .term(let term): carries(term)
        case .not(let operand): !operand.holds(carries)
        case .all(let operands): operands.allSatisfy { $0.holds(carries) }
        case .any(let operands): operands.contains { $0.holds(carries) }
        }
    }
}

/// An operand: the tag that a registration must have; it is compared exactly.
struct TagTerm: Hashable, Sendable, Codable {
    /// A plain tag, `$InstallationId:{…}` or `$UserId:{…}`.
    let text: String

    static func tag(_ tag: String) -> TagTerm { TagTerm(text: tag) }

    static func installation(_ id: String) -> TagTerm { TagTerm(text: "$InstallationId:{\(id)}") }

    static func user(_ id: String) -> TagTerm { TagTerm(text: "$UserId:{\(id)}") }
}

enum TagExpressionError: Error, Equatable {
    case empty
    case unexpected(at: Int)
    case unfinished
    case tagTooLong(length: Int)
    case tooManyTags(limit: Int)
    case nestedTooDeeply
}

extension TagExpressionError: CustomStringConvertible {
    /// A sentence for the error body, which never contains a tag.
    var description: String {
        switch self {
        case .empty:
            "The tag expression is empty; omit the header to reach every device."
        case .unexpected(let offset):
            "The tag expression is malformed at character \(offset + 1)."
        case .unfinished:
            "The tag expression is incomplete: a tag, a closing brace or a parenthesis is missing."
        case .tagTooLong(let length):
            "A tag has \(length) characters; up to \(TagGrammar.longestTag) are allowed."
        case .tooManyTags(let limit):
            """
            The tag expression has more than \(limit) tags; up to \(TagGrammar.mostAlternatives) \
            are allowed if || is the only operator, otherwise \(TagGrammar.mostTags).
            """
        case .nestedTooDeeply:
            "The tag expression is nested more than \(TagGrammar.deepestNesting) levels deep."
        }
    }
}
