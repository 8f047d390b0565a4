/// An expression that addresses all devices whose tags satisfy it.
///
/// ```swift
/// let anyone = try TagExpression(anyOf: [Tag("team:blue"), Tag("team:red")])
/// let adults = try TagExpression.allOf([anyone, .not(.tag(Tag("age:minor")))])
/// let typed = try TagExpression(parsing: "(team:blue || team:red) && !age:minor")
/// adults == typed  // true
/// ```
///
/// There is no empty expression, so that missing tags cannot address every device. The service's
/// limits apply: 20 tags if `||` is the only operator, and 6 in any other expression.
public struct TagExpression: Sendable, Hashable {
    let root: TagNode

    /// The maximum number of tags that are joined only by `||`.
    public static let tagLimit = 20

    /// The maximum number of tags in an expression with `&&` or `!`.
    public static let mixedTagLimit = 6

    /// The tags in order of appearance, including duplicates.
    public var tags: [Tag] { root.tags }

    /// Addresses the devices that have one tag.
    public init(_ tag: Tag) {
        root = .tag(tag)
    }

    /// Addresses the devices that have any of 1 to 20 tags.
    public init(anyOf tags: [Tag]) throws(TagError) {
        try self.init(checking: .joined(.any, tags.map { .tag($0) }))
    }

    /// Reads an expression of up to 8,192 bytes as a hub does: `!` has the highest precedence, then
    /// `&&`, then `||`.
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
    public static func tag(_ tag: Tag) -> TagExpression { TagExpression(tag) }

    /// Addresses the devices that satisfy at least one of one or more expressions.
    public static func anyOf(_ expressions: [TagExpression]) throws(TagError) -> TagExpression {
        try TagExpression(checking: .joined(.any, expressions.map(\.root)))
    }

    /// Addresses the devices that satisfy all of one or more expressions.
    public static func allOf(_ expressions: [TagExpression]) throws(TagError) -> TagExpression {
        try TagExpression(checking: .joined(.all, expressions.map(\.root)))
    }

    /// Addresses the devices that do not satisfy an expression; two negations cancel each other.
    public static func not(_ expression: TagExpression) throws(TagError) -> TagExpression {
        try TagExpression(checking: .negated(expression.root))
    }
}

extension TagExpression: CustomStringConvertible {
    /// The expression for the hub, with parentheses wherever operators meet, because their
    /// precedence is not documented.
    public var description: String { root.description }
}

/// The normalised structure of a tag expression: equivalent structures are equal values.
///
/// A join has at least two parts and never contains a join of the same kind, and a negation never
/// contains a negation.
indirect enum TagNode: Sendable, Hashable {
    enum Operator: String, Sendable {
        case any = "||"
        case all = "&&"
    }

    case tag(Tag)
    case not(TagNode)
    case join(Operator, [TagNode])

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

    /// Whether `||` is the only operator.
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
