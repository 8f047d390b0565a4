/// The condition in `ServiceBusNotification-Tags` that says which devices a send is for.
///
/// Grammar, tightest first: `!`, `&&`, `||`, with parentheses (reference, section 4).
/// ``RegistrationIndex/registrations(matching:where:)`` finds the registrations for which it holds.
indirect enum TagExpression: Hashable, Sendable, Codable {
    case term(TagTerm)
    case not(TagExpression)
    case all([TagExpression])
    case any([TagExpression])

    /// Whether the expression holds for a device that carries certain terms.
    func holds(_ carries: (TagTerm) -> Bool) -> Bool {
        switch self {
        case .term(let term): carries(term)
        case .not(let operand): !operand.holds(carries)
        case .all(let operands): operands.allSatisfy { $0.holds(carries) }
        case .any(let operands): operands.contains { $0.holds(carries) }
        }
    }
}

/// One operand of a tag expression: the tag that a registration must carry, compared exactly.
struct TagTerm: Hashable, Sendable, Codable {
    /// The tag as registrations carry it: a plain one, `$InstallationId:{…}` or `$UserId:{…}`.
    let text: String

    static func tag(_ tag: String) -> TagTerm { TagTerm(text: tag) }

    /// The tag that every registration of an installation carries.
    static func installation(_ id: String) -> TagTerm { TagTerm(text: "$InstallationId:{\(id)}") }

    /// The tag that every registration of a user's installations carries.
    static func user(_ id: String) -> TagTerm { TagTerm(text: "$UserId:{\(id)}") }
}

/// Why the hub refuses a text as a tag expression.
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
