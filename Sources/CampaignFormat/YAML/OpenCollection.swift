/// A sequence or mapping whose end has not been read.
struct OpenCollection {
    enum Kind {
        case sequence
        case mapping
    }

    let kind: Kind
    /// Whether the collection is in brackets or braces.
    let isFlow: Bool
    let start: SourcePosition
    let tag: YAMLTag?
    let anchor: AnchorTable.Definition?
    /// The number of nodes before the collection.
    let nodesBefore: Int

    /// The end of the last item so far.
    private(set) var end: SourcePosition
    /// The depth of collections in the items.
    private(set) var innerHeight = 0
    /// The key whose value comes next.
    private(set) var pendingKey: YAMLNode?

    private var items: [YAMLNode] = []
    private var entries: [YAMLNode.Entry] = []
    private var keys = KeyIndex()
    private var isPlaceholder = false

    init(
        kind: Kind, isFlow: Bool, start: SourcePosition, tag: YAMLTag?,
        anchor: AnchorTable.Definition?, nodesBefore: Int
    ) {
        self.kind = kind
        self.isFlow = isFlow
        self.start = start
        self.tag = tag
        self.anchor = anchor
        self.nodesBefore = nodesBefore
        end = start
    }

    var lastPart: YAMLNode? { pendingKey ?? items.last ?? entries.last?.value }

    /// Adds the next item, key or value; returns the problem with a key that is not allowed here.
    mutating func append(_ node: YAMLNode, height: Int) -> YAMLError? {
        end = max(end, node.range.end)
        innerHeight = max(innerHeight, height)
        guard kind == .mapping else {
            items.append(node)
            return nil
        }
        guard let key = pendingKey else {
            pendingKey = node
            return problem(ofKey: node)
        }
        pendingKey = nil
        if key.isPlainText { entries.append(YAMLNode.Entry(key: key, value: node)) }
        return nil
    }

    func node(endingAt end: SourcePosition) -> YAMLNode {
        YAMLNode(
            kind == .mapping ? .mapping(entries) : .sequence(items),
            range: SourceRange(start: start, end: end), tag: tag, isPlaceholder: isPlaceholder)
    }

    private mutating func problem(ofKey key: YAMLNode) -> YAMLError? {
        guard !key.isPlaceholder else { return nil }
        guard case .scalar(let scalar) = key.content else {
            isPlaceholder = true
            return .complexKey(at: key.range)
        }
        guard key.isPlainText else {
            // The keys that a merge key would add are unknown.
            isPlaceholder = true
            return .mergeKey(at: key.range)
        }
        return keys.insert(scalar.text, at: key.range).map {
            .duplicateKey(scalar.text, at: key.range, first: $0)
        }
    }
}

extension YAMLNode {
    /// Whether this can be a key: text other than the merge key.
    fileprivate var isPlainText: Bool {
        guard !isPlaceholder, case .scalar(let scalar) = content else { return false }
        return !(scalar.style == .plain && scalar.text == "<<" && tag == nil)
    }
}

/// The keys of a mapping that have been read so far.
///
/// Most mappings are small, so the first keys are compared one by one; a hash table is only used
/// for more keys.
private struct KeyIndex {
    private var few: [(text: String, range: SourceRange)] = []
    private var many: [String: SourceRange] = [:]
    private static let fewAtMost = 8

    /// Records a key, and returns the place of an equal key if there is one.
    mutating func insert(_ text: String, at range: SourceRange) -> SourceRange? {
        if many.isEmpty {
            if let first = few.first(where: { $0.text == text }) { return first.range }
            guard few.count == Self.fewAtMost else {
                few.append((text, range))
                return nil
            }
            many = Dictionary(
                few.map { ($0.text, $0.range) }, uniquingKeysWith: { first, _ in first })
        }
        if let first = many[text] { return first }
        many[text] = range
        return nil
    }
}
