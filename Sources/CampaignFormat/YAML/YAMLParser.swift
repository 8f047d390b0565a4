/// Reads YAML 1.2 with libyaml and returns nodes with their places.
///
/// A file has one document, which can use the core schema's tags.
///
/// Every file is either read or refused with a position, within the limits of time, memory and
/// stack in `YAMLLimits`.
package enum YAMLParser {
    /// Reads one file, and reports everything that is wrong with it.
    ///
    /// Reading continues after duplicate or complex keys, unsupported tags and unknown aliases.
    /// After a syntax error, each top-level key is read again separately.
    package static func parse(_ bytes: [UInt8], limits: YAMLLimits = YAMLLimits())
        -> YAMLDocument
    {
        guard bytes.count <= limits.bytes else {
            let start = SourceRange(start: .start, end: .start)
            return YAMLDocument(
                root: nil, errors: [.tooLarge(bytes.count, limit: limits.bytes, at: start)],
                source: SourceText(Array(bytes.prefix(4096))))
        }
        let source = SourceText(bytes)
        let reading = read(source, limits: limits)
        var errors = reading.errors
        var remains: YAMLNode?
        if let ending = reading.ending {
            if !errors.contains(where: { $0.explains(ending) }) { errors.append(ending) }
            if ending.rule == .syntax, let recovery = SectionRecovery(source) {
                let recovered = recovery.run(after: ending) { read($0, limits: limits) }
                errors += recovered.errors.prefix(max(0, limits.errors - errors.count))
                remains = recovered.root
            }
        }
        return YAMLDocument(
            root: reading.ending == nil ? reading.root : nil,
            errors: errors.sorted { $0.range.start < $1.range.start }, source: source,
            remains: remains)
    }

    private static func read(_ source: SourceText, limits: YAMLLimits) -> SectionRecovery.Reading {
        var composer = DocumentComposer(source: source, limits: limits)
        var ending: YAMLError?
        do {
            try compose(source, into: &composer)
        } catch {
            ending = error
        }
        return SectionRecovery.Reading(
            root: composer.root, errors: composer.errors, ending: ending)
    }

    private static func compose(_ source: SourceText, into composer: inout DocumentComposer)
        throws(YAMLError)
    {
        if let problem = EncodingCheck(source).firstInvalid() ?? tagDirective(in: source) {
            throw problem
        }
        let content = source.bytes[source.contentStart...]
        guard !content.isEmpty else { return }
        let pairs = SurrogatePairs(in: content)
        unsafe try (pairs?.joined[...] ?? content).withUnsafeBufferPointer {
            input throws(YAMLError) in
            guard let events = unsafe EventParser(reading: input) else { throw .outOfMemory }
            try read(events, with: pairs, of: source, into: &composer)
        }
    }

    private static func read(
        _ events: borrowing EventParser, with pairs: SurrogatePairs?, of source: SourceText,
        into composer: inout DocumentComposer
    ) throws(YAMLError) {
        while true {
            let event: ParserEvent
            do throws(LibYAMLProblem) {
                let next = try events.next()
                event = pairs?.restored(next) ?? next
            } catch {
                throw SyntaxExplanation(
                    pairs?.restored(error) ?? error, in: source, composer: composer
                ).error
            }
            switch event.kind {
            case .documentEnd(let isImplicit):
                let end = composer.offset(ofIndex: event.end)
                return try refuseMore(
                    from: end, isImplicit: isImplicit, in: source, composer: composer)
            case .streamEnd:
                return
            default:
                try composer.take(event)
            }
        }
    }

    /// Refuses a second document before libyaml reads it, because reading its directives could take
    /// extremely long.
    private static func refuseMore(
        from end: Int, isImplicit: Bool, in source: SourceText, composer: DocumentComposer
    ) throws(YAMLError) {
        var rest = source.startOfText(from: end)
        var isAfterMarker = !isImplicit
        while source.isDocumentMarker("...", at: rest) {
            isAfterMarker = true
            rest = source.startOfText(from: rest + 3)
        }
        guard rest < source.bytes.count else { return }
        guard isAfterMarker || source.isDocumentMarker("---", at: rest) else {
            throw SyntaxExplanation(textAfterDocumentAt: rest, in: source, composer: composer)
                .error
        }
        throw .multipleDocuments(
            at: source.range(ofBytes: rest..<min(rest + 3, source.endOfLine(at: rest))))
    }

    /// The first `%TAG` line before the document.
    ///
    /// libyaml would compare each such line with every other one before returning the first event.
    private static func tagDirective(in source: SourceText) -> YAMLError? {
        var start = source.startOfText(from: source.contentStart)
        while source.bytes.has("%", at: start) {
            let end = source.endOfLine(at: start)
            guard !source.bytes.has("%TAG", at: start) else {
                return .unsupportedDirective(at: source.range(ofBytes: start..<end))
            }
            start = source.startOfText(from: end)
        }
        return nil
    }
}

package struct YAMLDocument: Sendable {
    /// nil if the file is empty or an error ended the reading.
    package let root: YAMLNode?

    /// The errors in file order.
    package let errors: [YAMLError]

    /// The text, for showing lines; only its beginning if the file is too large.
    package let source: SourceText

    /// The readable top-level keys of a file with a syntax error; this node and unreadable values
    /// are placeholders.
    package var remains: YAMLNode?
}

/// The limits of a file; every bound is inclusive.
package struct YAMLLimits: Hashable, Sendable {
    /// The size limit in bytes, which is always below 2 GiB; larger values are reduced.
    package var bytes: Int

    /// How deeply sequences and mappings may be nested.
    package var depth: Int

    /// The maximum number of values, including keys and expanded aliases.
    package var nodes: Int

    /// The maximum number of values that aliases may add.
    package var expandedNodes: Int

    /// The maximum number of errors; after that, the rest of the file is not read.
    package var errors: Int

    package init(
        bytes: Int = 16 << 20, depth: Int = 64, nodes: Int = 2_000_000,
        expandedNodes: Int = 10_000, errors: Int = 100
    ) {
        self.bytes = min(bytes, Int(Int32.max))
        self.depth = depth
        self.nodes = nodes
        self.expandedNodes = expandedNodes
        self.errors = errors
    }
}
