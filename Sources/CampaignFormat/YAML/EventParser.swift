import CLibYAML

/// Gets the events of a YAML stream from libyaml; owns all of libyaml's memory.
///
/// The parser has a fixed address on the heap, and is released with this value.
@safe struct EventParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>

    /// The input must be UTF-8 without a byte order mark, must not be empty, and must outlive this
    /// value.
    ///
    /// Returns nil if there is not enough memory.
    init?(reading input: UnsafeBufferPointer<UInt8>) {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            unsafe parser.deallocate()
            return nil
        }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, input.count)
        unsafe self.parser = parser
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
    }

    /// The next event; must not be called after the end of the stream.
    func next() throws(LibYAMLProblem) -> ParserEvent {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else {
            throw unsafe LibYAMLProblem(parser.pointee)
        }
        defer { unsafe yaml_event_delete(&event) }
        return unsafe ParserEvent(event)
    }
}

/// One event, with its first and last Unicode scalars, counted from 0.
struct ParserEvent {
    struct Properties {
        /// The name after `&`.
        let anchor: String?
        /// The full address of the tag.
        let tag: String?

        var isEmpty: Bool { anchor == nil && tag == nil }
    }

    enum Kind {
        case scalar(YAMLScalar, Properties)
        case alias(String)
        case sequenceStart(Properties, isFlow: Bool)
        case sequenceEnd
        case mappingStart(Properties, isFlow: Bool)
        case mappingEnd
        case documentEnd(isImplicit: Bool)
        case streamEnd
        /// The start of the stream or a document.
        case preamble
    }

    let kind: Kind
    let start: Int
    let end: Int
}

extension ParserEvent {
    init(_ event: yaml_event_t) {
        start = unsafe event.start_mark.index
        end = unsafe event.end_mark.index
        switch unsafe event.type {
        case YAML_SCALAR_EVENT:
            kind = unsafe Self.scalar(event.data.scalar)
        case YAML_ALIAS_EVENT:
            kind = .alias(unsafe text(event.data.alias.anchor) ?? "")
        case YAML_SEQUENCE_START_EVENT:
            let sequence = unsafe event.data.sequence_start
            kind = .sequenceStart(
                unsafe Properties(anchor: text(sequence.anchor), tag: text(sequence.tag)),
                isFlow: unsafe sequence.style == YAML_FLOW_SEQUENCE_STYLE)
        case YAML_SEQUENCE_END_EVENT:
            kind = .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            let mapping = unsafe event.data.mapping_start
            kind = .mappingStart(
                unsafe Properties(anchor: text(mapping.anchor), tag: text(mapping.tag)),
                isFlow: unsafe mapping.style == YAML_FLOW_MAPPING_STYLE)
        case YAML_MAPPING_END_EVENT:
            kind = .mappingEnd
        case YAML_DOCUMENT_END_EVENT:
            kind = .documentEnd(isImplicit: unsafe event.data.document_end.implicit != 0)
        case YAML_STREAM_END_EVENT:
            kind = .streamEnd
        default:
            kind = .preamble
        }
    }

    private static func scalar(_ scalar: yaml_event_s.__Unnamed_union_data.__Unnamed_struct_scalar)
        -> Kind
    {
        let style: YAMLScalar.Style =
            switch unsafe scalar.style {
            case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
            case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
            case YAML_LITERAL_SCALAR_STYLE: .literal
            case YAML_FOLDED_SCALAR_STYLE: .folded
            default: .plain
            }
        let utf8 = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        let value = unsafe String(decoding: utf8, as: UTF8.self)
        return .scalar(
            YAMLScalar(text: value, style: style),
            unsafe Properties(anchor: text(scalar.anchor), tag: text(scalar.tag)))
    }
}

/// Anchors and tags contain no NUL.
private func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
}

/// The reason that libyaml gives for stopping.
struct LibYAMLProblem: Error {
    /// The problem, such as `did not find expected key`; nil if memory ran out.
    let problem: String?

    /// The Unicode scalar at which the problem was found, counted from 0.
    let index: Int

    /// The part that was being read, such as `while parsing a block mapping`; empty if unknown.
    let context: String

    /// The Unicode scalar at which that part began; meaningless without a context.
    let contextIndex: Int

    init(problem: String?, index: Int, context: String, contextIndex: Int) {
        self.problem = problem
        self.index = index
        self.context = context
        self.contextIndex = contextIndex
    }

    init(_ parser: yaml_parser_t) {
        let isReader = unsafe parser.error == YAML_READER_ERROR
        unsafe self.init(
            problem: unsafe parser.problem.map { unsafe String(cString: $0) },
            index: isReader ? parser.mark.index : parser.problem_mark.index,
            context: unsafe parser.context.map { unsafe String(cString: $0) } ?? "",
            contextIndex: parser.context_mark.index)
    }
}
