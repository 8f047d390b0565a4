/// Who a send is for: devices whose tags satisfy an expression.
///
/// ```swift
/// let anyone = try TagExpression(anyOf: [Tag("team:blue"), Tag("team:red")])
/// let adults = try TagExpression.allOf([anyone, .not(.tag(Tag("age:minor")))])
/// let typed = try TagExpression(parsing: "(team:blue || team:red) && !age:minor")
/// adults == typed  // true
/// ```
///
/// There is no empty value, so that a send to every device cannot be expressed by leaving the tags
/// out. An expression that exists keeps to the service's limits: 20 tags where they are joined by
/// `||` only, 6 otherwise.
public struct TagExpression: Sendable, Hashable {
    let root: TagNode

    /// The most tags that may be joined by `||` and nothing else (reference: section 4).
    public static let tagLimit = 20

    /// The most tags of an expression with `&&` or `!` in it (reference: section 4).
    public static let mixedTagLimit = 6

    /// The tags, in the order in which they stand; one that stands twice is counted twice.
    public var tags: [Tag] { root.tags }

    /// Addresses the devices that have one tag.
    ///
    /// - Parameter tag: the tag.
    public init(_ tag: Tag) {
        root = .tag(tag)
    }

    /// Addresses the devices that have any of several tags.
    ///
    /// - Parameter tags: 1 to 20 tags.
    /// - Throws: ``TagError/noTags`` or ``TagError/tooManyTags``.
    public init(anyOf tags: [Tag]) throws(TagError) {
        try self.init(checking: .joined(.any, tags.map { .tag($0) }))
    }

    /// Reads an expression as a hub does: `!` binds before `&&`, and that before `||`.
    ///
    /// - Parameter text: tags, `||`, `&&`, `!`, parentheses and spaces; up to 8,192 bytes.
    /// - Throws: ``TagExpressionError``, which says where the text is wrong.
    public init(parsing text: String) throws(TagExpressionError) {
        var parser = TagExpressionParser(text)
        self = try parser.parse()
    }

    init(checking root: TagNode) throws(TagError) {
        let count = root.tagCount
        guard count > 0 else { throw .noTags }
        if root.joinsByOrOnly {
            guard count <= Self.tagLimit else { throw .tooManyTags }
        } else {
            guard count <= Self.mixedTagLimit else { throw .tooManyMixedTags }
        }
        self.root = root
    }

    /// Addresses the devices that have one tag.
    ///
    /// - Parameter tag: the tag.
    /// - Returns: the expression.
    public static func tag(_ tag: Tag) -> TagExpression { TagExpression(tag) }

    /// Addresses the devices that satisfy any of several expressions.
    ///
    /// - Parameter expressions: at least one.
    /// - Returns: the expression.
    /// - Throws: ``TagError`` when there are no tags or too many.
    public static func anyOf(_ expressions: [TagExpression]) throws(TagError) -> TagExpression {
        try TagExpression(checking: .joined(.any, expressions.map(\.root)))
    }

    /// Addresses the devices that satisfy all of several expressions.
    ///
    /// - Parameter expressions: at least one.
    /// - Returns: the expression.
    /// - Throws: ``TagError`` when there are no tags or too many.
    public static func allOf(_ expressions: [TagExpression]) throws(TagError) -> TagExpression {
        try TagExpression(checking: .joined(.all, expressions.map(\.root)))
    }

    /// Addresses the devices that do not satisfy an expression.
    ///
    /// - Parameter expression: the expression; two negations cancel each other.
    /// - Returns: the expression.
    /// - Throws: ``TagError/tooManyMixedTags``.
    public static func not(_ expression: TagExpression) throws(TagError) -> TagExpression {
        try TagExpression(checking: .negated(expression.root))
    }
}

extension TagExpression: CustomStringConvertible {
    /// The expression as the hub reads it: without spaces, with parentheses wherever operators
    /// meet, since the service does not document which binds first.
    public var description: String { root.description }
}

/// The structure of a tag expression.
///
/// Joins are never nested in their like, have two parts at least, and no negation is negated: so
/// equal expressions are equal values, and none is deeper than it has tags.
indirect enum TagNode: Sendable, Hashable {
    /// How parts are joined.
    enum Operator: String, Sendable {
        /// At least one holds.
        case any = "||"
        /// All hold.
        case all = "&&"
    }

    case tag(Tag)
    case not(TagNode)
    case join(Operator, [TagNode])

    /// Joins parts; one part is itself.
    static func joined(_ operation: Operator, _ parts: [TagNode]) -> TagNode {
        var flat: [TagNode] = []
        for part in parts {
            if case .join(operation, let inner) = part {
                flat += inner
            } else {
                flat.append(part)
            }
        }
        return flat.count == 1 ? flat[0] : .join(operation, flat)
    }

    /// Negates a part.
    static func negated(_ part: TagNode) -> TagNode {
        if case .not(let inner) = part { return inner }
        return .not(part)
    }

    var tags: [Tag] {
        switch self {
        case .tag(let tag): [tag]
        case .not(let part): part.tags
        case .join(_, let parts): parts.flatMap(\.tags)
        }
    }

    var tagCount: Int {
        switch self {
        case .tag: 1
        case .not(let part): part.tagCount
        case .join(_, let parts): parts.reduce(0) { $0 + $1.tagCount }
        }
    }

    /// Whether there is no operator but `||`.
    var joinsByOrOnly: Bool {
        switch self {
        case .tag: true
        case .not, .join(.all, _): false
        case .join(.any, let parts): parts.allSatisfy(\.joinsByOrOnly)
        }
    }
}

extension TagNode: CustomStringConvertible {
    var description: String {
        switch self {
        case .tag(let tag): tag.rawValue
        case .not(let part): "!\(part.operand)"
        case .join(let operation, let parts):
            parts.map(\.operand).joined(separator: operation.rawValue)
        }
    }

    private var operand: String {
        if case .tag(let tag) = self { return tag.rawValue }
        return "(\(description))"
    }
}
