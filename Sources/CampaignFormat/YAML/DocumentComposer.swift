/// Builds the node tree of one document from its events.
///
/// Open collections are in a list, not on the call stack, so that a hostile file cannot exhaust the
/// stack.
struct DocumentComposer {
    private(set) var root: YAMLNode?

    /// The errors so far, without the one that ended reading.
    private(set) var errors: [YAMLError] = []

    private let source: SourceText
    private let limits: YAMLLimits
    private let scalarsBefore: Int
    /// The start of the last event, close to which the next one starts.
    private var here: SourceCursor
    private var open: [OpenCollection] = []
    private var anchors = AnchorTable()
    private var nodes = 0
    private var expandedNodes = 0

    init(source: SourceText, limits: YAMLLimits) {
        self.source = source
        self.limits = limits
        here = SourceCursor(startOf: source.bytes)
        // libyaml does not count the byte order mark, which is one scalar.
        scalarsBefore = source.contentStart > 0 ? 1 : 0
    }

    var lastPart: YAMLNode? { open.last?.lastPart ?? root }

    /// The byte at libyaml's index.
    func offset(ofIndex index: Int) -> Int { source.offset(ofScalar: index + scalarsBefore) }

    mutating func take(_ event: ParserEvent) throws(YAMLError) {
        here = source.cursor(atScalar: event.start + scalarsBefore, near: here)
        let end = source.cursor(atScalar: event.end + scalarsBefore, near: here)
        let bytes = Int(here.offset)..<max(Int(here.offset), Int(end.offset))
        switch event.kind {
        case .scalar(let scalar, let properties):
            try take(scalar, properties, at: bytes)
        case .alias(let name):
            try takeAlias(name, at: source.range(ofBytes: bytes, near: here))
        case .sequenceStart(let properties, let isFlow):
            try begin(.sequence, properties, isFlow: isFlow, at: bytes)
        case .mappingStart(let properties, let isFlow):
            try begin(.mapping, properties, isFlow: isFlow, at: bytes)
        case .sequenceEnd, .mappingEnd:
            try finishCollection(at: bytes)
        case .documentEnd, .streamEnd, .preamble:
            break
        }
    }

    private mutating func take(
        _ scalar: YAMLScalar, _ properties: ParserEvent.Properties, at bytes: Range<Int>
    ) throws(YAMLError) {
        var content = bytes
        var tag: YAMLTag?
        let errorsBefore = errors.count
        if !properties.isEmpty {
            let written = NodeProperties(in: bytes, of: source.bytes)
            content = written.contentStart..<bytes.upperBound
            tag = try supportedTag(properties, written) { $0 != .sequence && $0 != .mapping }
        }
        let range = source.range(ofBytes: trimmed(content, scalar, properties), near: here)
        try count(1, at: range)
        // If a tag is refused, the meaning of the text is unknown.
        let node = YAMLNode(
            .scalar(scalar), range: range, tag: tag, isPlaceholder: errors.count > errorsBefore)
        if let anchor = properties.anchor {
            anchors.finish(
                anchors.begin(anchor), as: AnchorTable.Target(node: node, size: 1, height: 0))
        }
        try add(node, height: 0)
    }

    private mutating func takeAlias(_ name: String, at range: SourceRange) throws(YAMLError) {
        switch anchors.target(of: name) {
        case .unknown:
            try report(.unknownAlias(at: range))
            try add(.placeholder(at: range), height: 0)
        case .open:
            try report(.recursiveAlias(at: range))
            try add(.placeholder(at: range), height: 0)
        case .found(let target):
            expandedNodes += target.size
            guard expandedNodes <= limits.expandedNodes else {
                throw .tooMuchExpansion(limit: limits.expandedNodes, at: range)
            }
            guard open.count + target.height <= limits.depth else {
                throw .tooDeep(limit: limits.depth, at: range)
            }
            try count(target.size, at: range)
            try add(target.node.moved(at: range), height: target.height)
        }
    }

    private mutating func begin(
        _ kind: OpenCollection.Kind, _ properties: ParserEvent.Properties, isFlow: Bool,
        at bytes: Range<Int>
    ) throws(YAMLError) {
        var start = bytes.lowerBound
        var tag: YAMLTag?
        if !properties.isEmpty {
            let written = NodeProperties(in: bytes, of: source.bytes)
            start = written.contentStart
            tag = try supportedTag(properties, written) {
                $0 == (kind == .mapping ? .mapping : .sequence)
            }
        }
        let range = source.range(
            ofBytes: start..<min(start + 1, source.bytes.count), near: here)
        guard open.count < limits.depth else { throw .tooDeep(limit: limits.depth, at: range) }
        try count(1, at: range)
        open.append(
            OpenCollection(
                kind: kind, isFlow: isFlow, start: range.start, tag: tag,
                anchor: properties.anchor.map { anchors.begin($0) }, nodesBefore: nodes - 1))
    }

    private mutating func finishCollection(at bytes: Range<Int>) throws(YAMLError) {
        guard let collection = open.popLast() else { return }
        // libyaml places the end of a block at the start of the next token, after comments and
        // blank lines. A pair in a flow sequence has no brace, so its end is empty.
        let hasClosingBracket = collection.isFlow && !bytes.isEmpty
        let node = collection.node(
            endingAt: hasClosingBracket
                ? source.cursor(atByte: bytes.upperBound, near: here).position : collection.end)
        let height = collection.innerHeight + 1
        if let anchor = collection.anchor {
            anchors.finish(
                anchor,
                as: AnchorTable.Target(
                    node: node, size: nodes - collection.nodesBefore, height: height))
        }
        try add(node, height: height)
    }

    private mutating func add(_ node: YAMLNode, height: Int) throws(YAMLError) {
        guard !open.isEmpty else {
            root = node
            return
        }
        guard let problem = open[open.count - 1].append(node, height: height) else { return }
        try report(unquotedVariable(problem) ?? problem)
    }

    /// A better message for a complex key in two pairs of braces.
    private func unquotedVariable(_ problem: YAMLError) -> YAMLError? {
        let inner = problem.range.start.offset
        guard problem.rule == .complexKey, source.bytes.has("{{", at: inner - 1) else { return nil }
        let start = source.position(atByte: inner - 1)
        return .unquotedVariable(at: SourceRange(start: start, end: problem.range.end))
    }

    private mutating func count(_ added: Int, at range: SourceRange) throws(YAMLError) {
        nodes += added
        guard nodes <= limits.nodes else { throw .tooManyNodes(limit: limits.nodes, at: range) }
    }

    private mutating func report(_ problem: YAMLError) throws(YAMLError) {
        guard errors.count < limits.errors else {
            throw .tooManyFaults(limit: limits.errors, at: problem.range)
        }
        errors.append(problem)
    }

    private mutating func supportedTag(
        _ properties: ParserEvent.Properties, _ written: NodeProperties,
        fits: (YAMLTag) -> Bool
    ) throws(YAMLError) -> YAMLTag? {
        guard let address = properties.tag, let place = written.tag else { return nil }
        let range = source.range(ofBytes: place)
        guard let tag = YAMLTag(address: address) else {
            try report(.unsupportedTag(at: range))
            return nil
        }
        guard fits(tag) else {
            try report(.misplacedTag(tag, at: range))
            return nil
        }
        return tag
    }

    /// The bytes of a scalar without those that libyaml adds: line breaks after a block scalar, and
    /// space after a missing value.
    private func trimmed(
        _ bytes: Range<Int>, _ scalar: YAMLScalar, _ properties: ParserEvent.Properties
    ) -> Range<Int> {
        switch scalar.style {
        case .singleQuoted, .doubleQuoted:
            return bytes
        case .plain where bytes.isEmpty && properties.isEmpty:
            let end = source.endOfText(before: bytes.lowerBound, downTo: source.contentStart)
            return end..<end
        case .plain:
            return bytes
        case .literal, .folded:
            let end = source.endOfText(before: bytes.upperBound, downTo: bytes.lowerBound)
            return bytes.lowerBound..<end
        }
    }
}
