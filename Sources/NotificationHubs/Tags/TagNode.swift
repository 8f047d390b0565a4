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
